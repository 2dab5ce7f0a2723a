"""What there is to see, as JSON: the board once, and the state after every change.

Everything is a value taken between two steps of the loop; nothing here decides anything.  Spaces
are numbers, pieces the letters of a position code, sides 0 (Light) and 1 (Dark).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..messages.message import Message
from ..rules.actions import Cascade, EndTurn, Placement, Step, legal_actions
from ..rules.board import Board, format_board
from ..rules.game import Game
from ..rules.hexgrid import HexGrid, spaces_of
from ..rules.notation import format_action, format_position
from ..rules.position import PIECES, SIDES, Position, shif
from ..rules.svg import PITCH, geometry
from ..table.lights.frame import Frame
from ..table.view import Mode, View
from .instructions import words_for


def to_json(value: Mapping[str, Any]) -> str:
    """Return a message as text that can be sent, whatever names a stored game has.

    >>> to_json({"name": "\\ud83d"})
    '{"name":"\\\\ud83d"}'
    """
    return json.dumps(value, separators=(",", ":"))


def board_message(board: Board, pitch_mm: float) -> dict[str, Any]:
    """Return where the spaces are, in units of the drawing, and what they are called."""
    shape = geometry(board.side)
    return {
        "t": "board",
        "name": board.name,
        "side": board.side,
        "pitch": PITCH,
        "mm": pitch_mm,
        "width": shape.width,
        "height": shape.height,
        "centres": [[round(x, 2), round(y, 2)] for x, y in shape.centres],
        "tone": [(q - r) % 3 for q, r in board.grid.axial],
        "holes": list(spaces_of(board.detaining)),
        "names": list(board.grid.names),
        "file": format_board(board),
    }


def frame_message(frame: Frame, order: Sequence[int]) -> str:
    """Return the colour of the light of each space, as six hexadecimal digits each."""
    colours = bytes([channel for k in order for channel in frame[k]]).hex()
    return '{"t":"frame","c":"' + colours + '"}'


def cascade_row(grid: HexGrid, cascade: Cascade) -> dict[str, Any]:
    """Return an action, and what followed from it, one piece at a time."""
    events = [
        [str(event), piece.letter, origin, target]
        for event, piece, origin, target, _ in cascade.consequences
    ]
    return {"text": format_action(cascade.before.board, cascade.action), "events": events}


def action_message(cascade: Cascade, number: int) -> dict[str, Any]:
    """Return an action as it begins, and what will follow from it, each with its cause."""
    move: list[Any] | None = None
    action = cascade.action
    if isinstance(action, Step):
        piece = cascade.before.piece_at(action.origin)
        move = [piece.letter if piece is not None else "?", action.origin, action.target]
    elif isinstance(action, Placement):
        move = [shif(cascade.before.side).letter, None, action.space]
    return {"t": "action", "n": number, "move": move, "events": _events(cascade)}


def _events(cascade: Cascade) -> list[list[Any]]:
    """Return what follows from an action: event, piece, from, to, and the space that caused it."""
    return [
        [str(event), piece.letter, origin, target, cause]
        for event, piece, origin, target, cause in cascade.consequences
    ]


def standing(position: Position) -> list[list[Any]]:
    """Return which piece stands where."""
    return [[space, piece.letter] for space, piece in position.placed()]


def shown_position(position: Position) -> dict[str, Any]:
    """Return a position by itself, with its board, as the page draws it."""
    board = board_message(position.board, 36.0)
    return {"board": board, "pieces": standing(position), **scores(position)}


def lost(position: Position) -> list[int]:
    """Return how many Sentinels of each side are out of the game, as its start had them."""
    start = position.board.start
    counts = [start[side * 2].bit_count() for side in SIDES]
    return [max(0, counts[side] - position.pieces[side * 2].bit_count()) for side in SIDES]


def scores(position: Position) -> dict[str, Any]:
    """Return what is counted in a position."""
    detained = position.detained
    return {
        "side": int(position.side),
        "left": position.steps_left,
        "made": position.steps_made,
        "reserve": list(position.reserve),
        "detained": [
            sum((position.pieces[p] & detained).bit_count() for p in PIECES if p.side is side)
            for side in SIDES
        ],
        "lost": lost(position),
        "coins": None if position.coins is None else list(position.coins),
    }


def said(lines: Sequence[Message]) -> list[list[Any]]:
    """Return sentences as the page takes them."""
    return [[each.key, each.gaps] for each in lines]


def state_message(view: View, game: Game, *, open_action: str | None) -> dict[str, Any]:
    """Return all that the page shows beside the lights; the caller adds what it knows."""
    position, ended = view.position, view.outcome
    ends = view.mode is Mode.PLAY and open_action is None and ended is None
    return {
        "t": "state",
        "mode": view.mode.name,
        **scores(position),
        "limit": position.rules.detained,
        "players": [game.headers.get("Light", ""), game.headers.get("Dark", "")],
        "rules": str(position.rules),
        "board": position.board.name,
        "code": format_position(position),
        "ply": len(game.cascades),
        "open": open_action,
        "words": said(words_for(view)),
        "over": None
        if ended is None
        else {"winner": None if ended.winner is None else int(ended.winner)},
        "ends": ends and EndTurn() in legal_actions(position),
        "raise": bool(position.coins is not None and view.spots),
        "raised": view.raised,
        "asked": list(view.candidates),
        "may_end": view.may_end,
        "lit": view.next is not None,
        "thinking": view.thinking,
        "announced": [format_action(position.board, action) for action in view.announced],
        "believed": [
            [space, "?" if piece is None else piece.letter]
            for space, piece in sorted(view.standing.items())
        ],
        "faulty": list(spaces_of(view.faulty)),
        "trouble": "save" if view.save_trouble else view.trouble.name.lower(),
    }


def log_message(game: Game) -> dict[str, Any]:
    """Return the actions of a game, turn by turn, and its last cascade."""
    turns: list[list[Any]] = []
    fresh = True
    board = game.start.board
    for cascade in game.cascades:
        if fresh:
            turns.append([int(cascade.before.side), [], []])
        turns[-1][1].append(format_action(board, cascade.action))
        turns[-1][2].append(_events(cascade))
        fresh = cascade.after.steps_made == 0
    last = game.cascades[-1] if game.cascades else None
    return {"t": "log", "turns": turns, "last": None if last is None else action_message(last, 0)}
