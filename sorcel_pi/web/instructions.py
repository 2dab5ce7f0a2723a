"""What to do now, as a key into the page's catalogue of texts with what belongs in the gaps.

It says in words what the lights say, layer by layer in the order of the light plan, so that both
always agree; why something is not legal it takes from the rules.  The languages are in
`messages/texts.json`.
"""

from typing import Any

from ..messages.message import Message, message
from ..rules.actions import (
    Action,
    EndTurn,
    Placement,
    RefusalReason,
    Step,
    legal_actions,
    why_not,
)
from ..rules.position import Piece, Position, shif
from ..table.view import Mode, Trouble, View


def words_for(view: View) -> list[Message]:
    """Return what to do now, and then what else is to be known."""
    first = (
        _trouble(view)
        or _question(view)
        or _wrong(view)
        or _relocation(view)
        or _lifted(view)
        or _setup(view)
        or _hand(view)
        or _astray(view)
        or _turn(view)
    )
    return [first, *_more(view)]


def _names(view: View) -> tuple[str, ...]:
    return view.position.board.grid.names


def _names_of(view: View, spaces: int) -> tuple[str, ...]:
    return view.position.board.grid.names_of(spaces)


def _kind(piece: Piece | None) -> str:
    return "?" if piece is None else piece.letter


def _trouble(view: View) -> Message | None:
    return message("trouble.line") if view.trouble is Trouble.LINE else None


def _question(view: View) -> Message | None:
    if view.mode is Mode.ASK:
        return message("ask.end" if view.may_end else "ask", n=len(view.candidates))
    if view.mode is Mode.LEVEL:
        return message("level", level=view.level)
    if view.mode is Mode.CONFIRM:
        return message("confirm")
    return message("code") if view.code else None


def _wrong(view: View) -> Message | None:
    if view.wrong is None or view.wrong == (None, None):
        return None
    names = _names(view)
    at, home = view.wrong
    if home is None:
        return message("wrong.off", at=names[at or 0])
    if at is None:
        return message("wrong.back", to=names[home])
    return message("wrong.place", at=names[at], to=names[home], kind=_kind(view.standing.get(at)))


def _relocation(view: View) -> Message | None:
    move = view.next
    if move is None:
        return None
    names, kind = _names(view), _kind(move.piece)
    gaps: dict[str, Any] = {"kind": kind, "side": int(view.position.side)}
    origin = None if move.held else move.origin
    if move.target is None:
        if origin is None:
            return message("go.held_off", **gaps)
        return message("go.off", at=names[origin], **gaps)
    hole = ".hole" if view.position.board.detaining >> move.target & 1 else ""
    gaps["to"] = names[move.target]
    if move.held:
        return message(f"go.held{hole}", **gaps)
    if origin is None:
        return message("go.bring", **gaps)
    return message(f"go.move{hole}", at=names[origin], **gaps)


def _lifted(view: View) -> Message | None:
    if view.lifted is None:
        return None
    piece = view.position.piece_at(view.lifted)
    key = "lifted.push" if view.pushing else "lifted"
    return message(key, kind=_kind(piece), at=_names(view)[view.lifted])


def _setup(view: View) -> Message | None:
    names = _names(view)  # after a sweep, too, it is led as setting up is
    if view.surplus:
        space = (view.surplus & -view.surplus).bit_length() - 1
        return message("setup.remove", at=names[space])
    if not view.missing:
        return None
    space, piece = view.missing[0]
    return message("setup.place", kind=_kind(piece), to=names[space], n=len(view.missing))


def _hand(view: View) -> Message | None:
    if view.mode is Mode.RESTORE:
        return message("restore")
    if view.mode is not Mode.PLAY or not view.hand:
        return None
    held = view.hand[-1]
    if held.origin is None:
        return message("hand.off", kind=_kind(held.piece))
    return message("hand.back", kind=_kind(held.piece), to=_names(view)[held.origin])


def _astray(view: View) -> Message | None:
    if not view.astray:
        return None
    return message("astray", spaces=", ".join(_names_of(view, view.astray)))


def _turn(view: View) -> Message:
    position, ended = view.position, view.outcome
    side = int(position.side)
    if ended is not None:
        if ended.winner is None:
            return message(f"over.draw.{ended.reason}")
        return message(f"over.{ended.reason}", side=int(ended.winner))
    if view.thinking:
        return message("turn.thinking", side=side)
    if view.raised is not None:
        return message("turn.raised", side=side, n=view.raised)
    legal = legal_actions(position)
    if position.steps_made:
        ends = EndTurn() in legal
        return message("turn.more" if ends else "turn.all", side=side, n=position.steps_left)
    steps = any(isinstance(action, Step) for action in legal)
    if view.spots:
        return message("turn.both" if steps else "turn.place", side=side, n=position.steps_left)
    return message("turn.steps" if steps else "turn.pass", side=side, n=position.steps_left)


def _more(view: View) -> list[Message]:
    """Return why what stands is not legal, and what is doubtful."""
    more = [message("trouble.save")] if view.save_trouble else []
    reason = why_astray(view) if view.astray else None
    if reason is not None:
        more.append(reason)
    if view.guesses:
        more.append(message("guess"))
    if view.faulty:
        names = ", ".join(view.position.board.grid.names_of(view.faulty))
        more.append(message("faulty", spaces=names))
    if view.passed is not None:
        more.append(message("passed", side=int(view.passed[0])))
    return more


# -- why not --------------------------------------------------------------------------------------

_WHY: dict[RefusalReason, tuple[str, ...]] = {
    RefusalReason.OVER: ("why.over",),
    RefusalReason.NOT_YOURS: ("why.not_yours", "side", "at"),
    RefusalReason.FAR: ("why.far", "to", "at"),
    RefusalReason.HOLE: ("why.hole", "to"),
    RefusalReason.TAKEN: ("why.taken", "to"),
    RefusalReason.NO_STEP: ("why.no_step", "side"),
    RefusalReason.STEPPED: ("why.stepped", "side"),
    RefusalReason.NO_RESERVE: ("why.no_reserve", "side"),
    RefusalReason.POOR: ("why.poor", "side", "n", "m"),
    RefusalReason.NOT_BESIDE: ("why.not_beside", "to"),
    RefusalReason.RAISE: ("why.raise",),
}
"""The message of each refusal that can be met at a table, and its gaps."""


def why(position: Position, action: Action) -> Message | None:
    """Return why `action` is not legal, None where it is or there is no message for it.

    >>> from sorcel_pi import parse_action, parse_position, standard_board
    >>> start = parse_position("5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -")
    >>> why(start, parse_action(standard_board(), "c3e5"))
    Message(key='why.far', gaps={'to': 'e5', 'at': 'c3'})
    """
    refusal = why_not(position, action)
    if refusal is None or refusal.reason not in _WHY:
        return None
    names = position.board.grid.names
    values: dict[str, Any] = {
        "side": int(refusal.side),
        "at": None if refusal.origin is None else names[refusal.origin],
        "to": None if refusal.target is None else names[refusal.target],
        "n": refusal.purse,
        "m": refusal.stake,
    }
    key, *gaps = _WHY[refusal.reason]
    return Message(key, {gap: values[gap] for gap in gaps})


def why_astray(view: View) -> Message | None:
    """Return why what stands is not an action, if one piece alone has changed its place."""
    before = dict(view.position.placed())
    now = dict(view.standing)
    for held in view.hand:
        if held.origin is not None:
            before.pop(held.origin, None)
    gone = [space for space, piece in before.items() if now.get(space) is not piece]
    come = [space for space, piece in now.items() if before.get(space) is not piece]
    if len(come) != 1 or len(gone) > 1:
        return None
    piece = now[come[0]]
    if gone:
        return why(view.position, Step(gone[0], come[0]))
    if piece in (None, shif(view.position.side)):
        return why(view.position, Placement(come[0]))
    return None
