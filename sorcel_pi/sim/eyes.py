"""What a person makes of the lights: only colours and how they change while one looks.

A person has read the signs in the documentation, and tells a sign by its colour and by the shape
of its movement, not by exact brightness.  Nothing of the companion is known here but the frames
that it shows; what cannot be told apart yet is `unclear`, and one looks on.
"""

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor

from ..rules.board import Board
from ..rules.position import Side
from ..table.lights.frame import BLACK, Frame
from ..table.lights.palette import DEFAULT, Colour, Palette
from ..table.lights.signs import SIGNS, TICKS_PER_S, Ink, Role, Wave, steady, wave_of
from .reading import MEANING, Reading, Says, Word

LOOK_S = 1.2
"""So long a person looks to tell most signs."""
LONG_LOOK_S = 3.0
"""So long for the slow ones."""
GAMMA = 2.2
_LIKE = 0.14
"""Levels that differ by no more look alike."""
_SLIPS = 2
"""In so many ticks it may look otherwise: an edge is never seen exactly."""
_FAINT = 3
"""The colour of a light that is never sent more than this cannot be told."""
_GONE_TICKS = 22
"""Dark for so long, longer than signs that ask for something are, a light has gone out."""


class Eyes:
    """Keeps what was seen last, and reads it.

    `order[space]` is the number of the light of a space; `palette` the colours of this table.
    """

    def __init__(
        self, board: Board, *, order: Sequence[int] = (), palette: Palette = DEFAULT
    ) -> None:
        """See nothing yet."""
        self.board = board
        self.order = tuple(order) or tuple(range(board.grid.n))
        self.palette = palette
        self._seen: deque[tuple[float, Frame]] = deque([(0.0, (BLACK,) * board.grid.n)])

    def see(self, time_s: float, frame: Frame) -> None:
        """Take in a frame that is shown from `time_s` on."""
        seen = self._seen
        seen.append((time_s, frame))
        while len(seen) > 2 and seen[1][0] < time_s - LONG_LOOK_S - 1:
            seen.popleft()

    def read(self, since_s: float, now_s: float) -> Reading:
        """Return what can be read from all that was shown between the two times.

        A light that cannot be told by the last `LOOK_S` alone is looked at over the whole time.
        """
        frames = self._ticks(since_s, now_s)
        short = round(LOOK_S * TICKS_PER_S)
        dark = (BLACK,) * len(frames)
        columns = list(zip(*frames, strict=True))
        words: dict[int, Word] = {}
        doubtful: dict[int, frozenset[Word]] = {}
        for space, light in enumerate(self.order):
            column = columns[light]
            if column == dark or column[-_GONE_TICKS:] == dark[:_GONE_TICKS]:
                continue
            meant = meanings(column[-short:], self.palette)
            # White by turns may be a question as well: that takes a longer look.
            if Word(Says.ORIGIN) in meant:
                meant |= {Word(Says.CANDIDATE)}
            if len(meant) != 1 and len(frames) > short:
                meant = meanings(column, self.palette)
            if len(meant) == 1:
                words[space] = next(iter(meant))
            else:
                doubtful[space] = meant
        return _together(words, doubtful)

    def glance(self) -> frozenset[Ink]:
        """Return the colours that are lit just now."""
        return frozenset(perceive(colour, self.palette)[0] for colour in self._now if max(colour))

    def white(self) -> set[int]:
        """Return the spaces whose lights are white just now."""
        now = self._now
        lit = ((space, now[light]) for space, light in enumerate(self.order))
        return {s for s, c in lit if max(c) and perceive(c, self.palette)[0] is Ink.WHITE}

    @property
    def _now(self) -> Frame:
        return self._seen[-1][1]

    def _ticks(self, since_s: float, now_s: float) -> list[Frame]:
        """Return what was shown in the middle of each tick between the two times."""
        first, last = ceil(since_s * TICKS_PER_S - 1e-6), floor(now_s * TICKS_PER_S + 1e-6)
        seen = list(self._seen)
        k = 0
        frames = []
        for number in range(first, last):
            moment = (number + 0.5) / TICKS_PER_S
            while k + 1 < len(seen) and seen[k + 1][0] <= moment:
                k += 1
            frames.append(seen[k][1])
        return frames or [self._now]


def _together(words: dict[int, Word], doubtful: dict[int, frozenset[Word]]) -> Reading:
    """Tell lights by those beside them: where there is an origin, white is the destination."""
    said = {word.says for word in words.values()}
    may = said | {word.says for meant in doubtful.values() for word in meant}
    wanted: tuple[Says, ...] = ()
    if Says.WRONG in said:
        wanted = (Says.BELONGS,)
    elif Says.ORIGIN in may and Says.DESTINATION in may and Says.BELONGS not in said:
        wanted = (Says.ORIGIN, Says.DESTINATION)
    elif Says.ORIGIN in may and Says.HOLE in said:
        wanted = (Says.ORIGIN,)
    unclear = 0
    for space, meant in doubtful.items():
        fit = [word for word in meant if word.says in wanted]
        if len(fit) == 1:
            words[space] = fit[0]
        else:
            unclear |= 1 << space
    return Reading(words, unclear)


# How colours and movements are told apart.


@lru_cache(maxsize=4096)
def perceive(colour: Colour, palette: Palette) -> tuple[Ink, float]:
    """Return which ink of the palette a light looks like, and how bright from 0 to 1."""
    seen = [(channel / 255) ** (1 / GAMMA) for channel in colour]
    most = max(seen)
    best, level, least = Ink.WHITE, 0.0, 9.0
    for ink, known in zip(Ink, palette, strict=False):
        full = max(known) / 255
        away = sum(abs(a / most - b / 255 / full) for a, b in zip(seen, known, strict=True))
        if away < least:
            best, level, least = ink, most / full, away
    return best, level


@lru_cache(maxsize=1 << 16)
def meanings(column: tuple[Colour, ...], palette: Palette) -> frozenset[Word]:
    """Return all that a light can mean which looked like that, tick by tick."""
    brightest = max(column, key=sum)
    if max(brightest) < _FAINT:
        return frozenset()
    ink = perceive(brightest, palette)[0]
    levels = [perceive(c, palette)[1] if c != BLACK else 0.0 for c in column]
    side = {Ink.LIGHT: Side.LIGHT, Ink.DARK: Side.DARK}.get(ink)
    words = set()
    for role, says in MEANING.items():
        sign = SIGNS[role]
        owned = sign.ink is Ink.SIDE and (
            side is not None or (ink is Ink.WHITE and role in _NOBODYS)
        )
        if (sign.ink is ink or owned) and any(_fits(levels, wave) for wave in _shapes(role)):
            words.add(Word(says, side if sign.ink is Ink.SIDE else None))
    return frozenset(words)


_NOBODYS = (Role.GAME_OVER, Role.ORIGIN)
"""Signs of a side's colour that are white where they are nobody's."""


@lru_cache(maxsize=256)
def _shapes(role: Role) -> tuple[tuple[Wave, int], ...]:
    """Return what `role` can look like, as (waves, starts).

    Any look is like a stretch of one of the waves that begins before its number of starts.
    """
    sign, longest = SIGNS[role], round((LONG_LOOK_S + LOOK_S) * TICKS_PER_S)
    dark = steady(0.0, longest)
    if role is Role.ASK_CANDIDATE:  # one of several, or one that is on every other second
        on = steady(1.0, TICKS_PER_S)
        waves = [on + dark[: n * TICKS_PER_S] for n in range(1, 5)]
    elif sign.once:
        wave = dark + sign.wave + steady(sign.wave[-1], 2 * longest)
        return ((wave, len(wave) - longest),)
    else:  # a row whose lamps take turns is as long as an edge of the board, and two
        waves = [wave_of(role, length) for length in (range(5, 11) if sign.slot else (1,))]
    return tuple((wave * (2 + longest // len(wave)), len(wave)) for wave in waves)


def _fits(levels: Sequence[float], shape: tuple[Wave, int]) -> bool:
    """Whether some stretch of `shape` looks like `levels`."""
    wave, starts = shape
    order = _scattered(len(levels))
    for start in range(starts):
        mistakes = 0
        for k in order:
            away = levels[k] - wave[start + k]
            if away > _LIKE or away < -_LIKE:
                mistakes += 1
                if mistakes > _SLIPS:
                    break
        else:
            return True
    return False


@lru_cache(maxsize=256)
def _scattered(n: int) -> tuple[int, ...]:
    """Return 0 to n - 1 in an order in which what does not fit shows soon."""
    return tuple(k for first in range(7) for k in range(first, n, 7))
