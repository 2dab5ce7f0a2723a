"""The diagram of phases in docs/table.md, drawn from the table of transitions.

`python -m sorcel_pi.table.referee.diagram` prints it as a Mermaid state diagram.
"""

from collections.abc import Iterator

from .phases import TRANSITIONS, SettingUp


def lines() -> Iterator[str]:
    """Yield the lines of the diagram: one arrow from phase to phase, with all its causes."""
    yield "stateDiagram-v2"
    yield f"    [*] --> {SettingUp.__name__}"
    for phase, causes in TRANSITIONS.items():
        arrows: dict[str, list[str]] = {}
        for cause, followers in causes.items():
            for follower in followers:
                arrows.setdefault(follower.__name__, []).append(cause.value)
        for follower_name, reasons in arrows.items():
            yield f"    {phase.__name__} --> {follower_name}: {'; '.join(reasons)}"


if __name__ == "__main__":
    print("\n".join(lines()))
