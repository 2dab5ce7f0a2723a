"""The rules of Sorcel, and a wooden board that senses its pieces and leads play by light."""

import sys

if sys.version_info < (3, 11):  # plain old syntax up to here, so that any Python can say this
    raise ImportError("Sorcel Pi needs Python 3.11 or newer; this is " + sys.version.split()[0])

__version__ = "0.1.0"

from .errors import (
    CascadeError,
    ConfigError,
    DeviceError,
    EngineError,
    IllegalActionError,
    ImpossiblePositionError,
    NotationError,
    SorcelError,
    StoreError,
)
from .rules.actions import (
    Action,
    Cascade,
    EndTurn,
    LegalActions,
    Outcome,
    Pass,
    Placement,
    Reason,
    Step,
    legal_actions,
    outcome,
    perft,
    play,
    resolve,
    resolve_all,
)
from .rules.board import Board, Layout, board_from_text, format_board, load_board, standard_board
from .rules.cascade import Consequence, Event
from .rules.game import Game, Match, format_record, parse_record
from .rules.hexgrid import HexGrid, hexgrid, mask_of, spaces_of
from .rules.notation import format_action, format_position, parse_action, parse_position
from .rules.position import (
    AHUMM,
    EGRESSIAN,
    Coins,
    Piece,
    Position,
    RuleSet,
    Side,
    rule_set_from_text,
    start_position,
)

__all__ = [
    "AHUMM",
    "EGRESSIAN",
    "Action",
    "Board",
    "Cascade",
    "CascadeError",
    "Coins",
    "ConfigError",
    "Consequence",
    "DeviceError",
    "EndTurn",
    "EngineError",
    "Event",
    "Game",
    "HexGrid",
    "IllegalActionError",
    "ImpossiblePositionError",
    "Layout",
    "LegalActions",
    "Match",
    "NotationError",
    "Outcome",
    "Pass",
    "Piece",
    "Placement",
    "Position",
    "Reason",
    "RuleSet",
    "Side",
    "SorcelError",
    "Step",
    "StoreError",
    "board_from_text",
    "format_action",
    "format_board",
    "format_position",
    "format_record",
    "hexgrid",
    "legal_actions",
    "load_board",
    "mask_of",
    "outcome",
    "parse_action",
    "parse_position",
    "parse_record",
    "perft",
    "play",
    "resolve",
    "resolve_all",
    "rule_set_from_text",
    "spaces_of",
    "standard_board",
    "start_position",
]
