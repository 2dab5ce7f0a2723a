"""What the tests start as a process of its own, to send it signals: `signals` or `play FOLDER`."""

import random
import signal
import sys
from pathlib import Path

from sorcel_pi import Step, format_action, legal_actions, play
from sorcel_pi.app import stopped_by_signals
from sorcel_pi.table.commands import EndTurn
from sorcel_pi.table.companion import Output
from sorcel_pi.table.lights.frame import dark

from .hands import Desk


def wait_for_signal() -> None:
    desk = Desk(None).set_up()
    app = desk.app
    with stopped_by_signals(app):
        print("ready", flush=True)
        app.run()
    print("dark" if desk.mock.frame == dark(desk.game.start.board) else desk.mock.frame)


def play_on(folder: Path) -> None:
    """Play for ever, and say of each action when the table confirms that it is stored."""
    desk = Desk(folder)
    board = desk.game.start.board
    texts = [format_action(board, action) for action in desk.game.actions]
    print("start", *texts, flush=True)
    said = len(texts)
    rng = random.Random(said)
    desk.set_up()
    waiting: dict[int, int] = {}
    confirm = desk.app.companion.recorded

    def recorded(serial: int, now: float) -> None:
        nonlocal said
        confirm(serial, now)
        durable = max((n for s, n in waiting.items() if s <= serial), default=0)
        for action in desk.game.actions[said:durable]:
            print("done", format_action(board, action), flush=True)
        said = max(said, durable)

    def watch(_: object, output: Output) -> None:
        if output.serial is not None:
            waiting[output.serial] = len(desk.game.actions)

    desk.app.companion.recorded = recorded  # type: ignore[method-assign]
    desk.app.watch = watch
    while desk.game.outcome is None:
        position = desk.game.position
        foes = position.in_play(position.side.other)
        steps = [
            action
            for action in legal_actions(position)
            if isinstance(action, Step)
            and not position.board.grid.adjacent[action.target] & foes
            and play(position, action).occupied.bit_count() == position.occupied.bit_count()
        ]
        if steps:
            desk.act(rng.choice(steps))
        else:
            desk.app.commands.put(EndTurn())
            desk.wait(0.5)


if __name__ == "__main__":
    if sys.argv[1] == "signals":
        if hasattr(signal, "SIGHUP"):  # which may be ignored by whoever runs the tests
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
        wait_for_signal()
    else:
        play_on(Path(sys.argv[2]))
