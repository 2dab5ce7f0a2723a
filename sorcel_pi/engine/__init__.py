"""The engine: an opponent of any strength, hints with their reasons, reviews, puzzles.

>>> from sorcel_pi import standard_board, EGRESSIAN, start_position
>>> engine = Engine(standard_board(), EGRESSIAN)
>>> thought = engine.think(start_position(standard_board()), Limits(nodes=500))
>>> 0 < thought.chance < 1
True

It plays every board and rule set in Python, and the standard board in C where the distribution
`sorcel-engine` is installed.  It imports the rules and nothing else of the program.
"""

from .hints import Hint, Reason, Why, hint
from .levels import CASUAL, LEVELS, Level, LevelPlayer, level, think_at
from .matches import Player, Result, Score, match, openings, play_game, play_pair
from .puzzles import Puzzle, load_puzzles, puzzles_from_text, winning_turns
from .review import BLUNDER, Review, Turn, judge, review
from .swap import first_turn, wants_swap
from .thinking import Engine, Limits, Manner, Thought
from .values import chance

__all__ = [
    "BLUNDER",
    "CASUAL",
    "LEVELS",
    "Engine",
    "Hint",
    "Level",
    "LevelPlayer",
    "Limits",
    "Manner",
    "Player",
    "Puzzle",
    "Reason",
    "Result",
    "Review",
    "Score",
    "Thought",
    "Turn",
    "Why",
    "chance",
    "first_turn",
    "hint",
    "judge",
    "level",
    "load_puzzles",
    "match",
    "openings",
    "play_game",
    "play_pair",
    "puzzles_from_text",
    "review",
    "think_at",
    "wants_swap",
    "winning_turns",
]
