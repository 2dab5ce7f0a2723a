"""Hands on a simulated table, on a clock that jumps."""

import json
from typing import Any

import pytest

from sorcel_pi import parse_position, start_position
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.errors import DeviceError
from sorcel_pi.rules.board import standard_board
from sorcel_pi.table.referee.inference import standing_of
from sorcel_pi.web.screen_hands import Request, ScreenBoard

BOARD = standard_board()
START = start_position(BOARD)
NEAR_MM, FAR_MM = 0.0, 300.0


class Hands:
    """A simulated table with the start on it."""

    def __init__(self, code: str = "") -> None:
        self.table = MockTable(BOARD)
        self.told: list[dict[str, Any]] = []
        position = parse_position(code) if code else START
        self.board = ScreenBoard(
            self.table, position, lambda _, text: self.told.append(json.loads(text)), seed=1
        )
        self.board.arrange(standing_of(position.pieces), unseen=False)
        self.wait(0.2)

    def wait(self, seconds: float) -> int:
        closed = 0
        for _ in range(round(seconds * 100)):
            closed = self.board.scan().closed
            self.table.advance(0.01)
        return closed

    def ask(self, what: str, name: str = "", *, client: int = 1, **more: Any) -> None:
        if name:
            x, y = self.table.reeds.centres[BOARD.grid.number(name)]
            more |= {"x": x, "y": y}
        self.board.requests.put(Request(client, what, **more))
        self.wait(0.4)

    def at(self, name: str) -> int | None:
        return self.table.truth().get(BOARD.grid.number(name))


def test_a_piece_is_lifted_carried_and_put_down() -> None:
    hands = Hands()
    piece = hands.at("c4")
    assert piece is not None
    hands.ask("lift", piece=piece)
    assert hands.at("c4") is None and hands.table.held() == (piece,)
    hands.ask("move", "e4")
    hands.ask("drop", "d4")
    assert hands.at("d4") == piece
    assert [piece, "F", BOARD.grid.number("d4")] in hands.told[-1]["p"]


def test_a_piece_slides_over_borders_and_falls_into_holes() -> None:
    hands = Hands()
    piece = hands.at("c4")
    assert piece is not None
    hands.ask("lift", piece=piece, slides=True)
    assert hands.at("c4") == piece, "it stays on the wood"
    hands.ask("move", "d4")
    hands.ask("move", "e5")
    assert hands.at("e5") == piece, "a hole"
    hands.ask("move", "f6")
    assert hands.at("e5") == piece, "it is out of the hand"


def test_beside_the_board_is_a_place_too() -> None:
    hands = Hands()
    piece = hands.at("c4")
    assert piece is not None
    hands.ask("lift", piece=piece)
    hands.ask("drop", x=FAR_MM, y=NEAR_MM)
    assert piece in hands.table.off_board()
    hands.ask("lift", piece=piece)
    hands.ask("drop", "a1")
    assert hands.at("a1") == piece


def test_where_a_piece_stands_there_is_no_room() -> None:
    hands = Hands()
    piece, other = hands.at("c4"), hands.at("c3")
    assert piece is not None
    hands.ask("lift", piece=piece)
    hands.ask("drop", "c3")
    assert hands.at("c3") == other and hands.table.held() == (piece,)
    hands.ask("back")
    assert hands.at("c4") == piece and hands.table.held() == ()


def test_a_piece_in_one_hand_is_not_in_another() -> None:
    hands = Hands()
    piece = hands.at("c4")
    assert piece is not None
    hands.ask("lift", piece=piece)
    hands.ask("lift", client=2, piece=piece)
    hands.ask("drop", "a1", client=2)
    assert hands.at("a1") is None
    hands.ask("lift", piece=hands.at("c3") or 0)
    assert len(hands.table.held()) == 1, "a hand holds one piece"
    hands.ask("lift", client=3, piece=999)


def test_a_shaky_hand_bounces_and_bumps_and_leaves_all_standing() -> None:
    hands = Hands()
    before = set(hands.table.truth())
    hands.ask("shaky", x=1.0)
    piece = hands.at("c4")
    assert piece is not None
    hands.ask("lift", piece=piece)
    hands.ask("drop", "c4")
    hands.wait(1.5)
    assert set(hands.table.truth()) == before
    assert hands.told[-1]["shaky"] is True


def test_after_pieces_were_put_unseen_the_line_is_lost_and_found() -> None:
    hands = Hands()
    hands.board.arrange({})
    with pytest.raises(DeviceError):
        hands.board.scan()
    for _ in range(100):
        hands.table.advance(0.01)
        try:
            scan = hands.board.scan()
        except DeviceError:
            continue
        break
    assert scan.closed == 0 and hands.table.truth() == {}


def test_another_board_is_another_table() -> None:
    hands = Hands()
    ahumm = parse_position("5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 20/20/0/1")
    hands.board.change(ahumm)
    assert hands.board.table is not hands.table
    assert len(hands.board.kinds) == 16
