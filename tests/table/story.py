"""A table that is operated like a real one: lift, drop, wait, press, and see what comes of it.

Contacts are perfect here (no bounce, no field); the mock driver's tests have those.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sorcel_pi import (
    Game,
    Piece,
    Placement,
    Position,
    Step,
    format_action,
    parse_action,
    parse_position,
    resolve,
)
from sorcel_pi.rules.position import shif
from sorcel_pi.table.events import Done, TableEvent, TakenBack
from sorcel_pi.table.referee.inference import standing_of
from sorcel_pi.table.referee.referee import Referee
from sorcel_pi.table.relocation import Relocation
from sorcel_pi.table.sensing.debouncer import Buttons, Debouncer, Scan
from sorcel_pi.table.showing import view_of
from sorcel_pi.table.timing import Timing
from sorcel_pi.table.view import Mode, View

PERIOD_S = 0.01


class Story:
    """One game on one table of perfect contacts; the true pieces are in `wood`."""

    def __init__(
        self,
        start: str | Position | Game,
        *,
        timing: Timing | None = None,
        overlaps: dict[int, int] | None = None,
        masked: int = 0,
        dead: int = 0,
        bare: bool = False,
    ) -> None:
        if isinstance(start, str):
            start = parse_position(start)
        self.game = start if isinstance(start, Game) else Game(start)
        self.grid = self.game.start.board.grid
        self.referee = Referee(self.game, timing=timing, overlaps=overlaps, masked=masked)
        self.debouncer = Debouncer(masked=masked)
        self.dead = dead
        self.now = 0.0
        self.forgiving = False
        """Whether the table is stepped on after something has raised."""
        self.wood: dict[int, Piece] = {}
        if not bare:
            self.wood |= standing_of(self.game.position.pieces)
        self.hand: list[Piece] = []
        self.buttons = Buttons.NONE
        self.events: list[TableEvent] = []
        self.wait(0.5)

    # -- the hand -----------------------------------------------------------------------------

    def lift(self, name: str, *, wait: float = 0.2) -> "Story":
        self.hand.append(self.wood.pop(self.grid.number(name)))
        return self.wait(wait)

    def drop(self, name: str, *, wait: float = 0.2) -> "Story":
        space = self.grid.number(name)
        assert space not in self.wood, f"{name} is not free"
        self.wood[space] = self.hand.pop()
        return self.wait(wait)

    def add(self, name: str, piece: Piece, *, wait: float = 0.2) -> "Story":
        self.hand.append(piece)
        return self.drop(name, wait=wait)

    def off(self, name: str, *, wait: float = 0.2) -> "Story":
        self.lift(name, wait=wait)
        self.hand.pop()
        return self

    def move(self, origin: str, target: str, *, wait: float = 0.2) -> "Story":
        return self.lift(origin).drop(target, wait=wait)

    def press(self, button: Buttons, seconds: float = 0.1) -> "Story":
        self.buttons |= button
        self.wait(seconds)
        self.buttons &= ~button
        return self.wait(0.05)

    def wait(self, seconds: float) -> "Story":
        """Let time pass: scans come every 10 ms while anything bounces, then only when due."""
        end = self.now + seconds
        self._scan(self.now + PERIOD_S)
        while self.now < end - 1e-9:
            due = self.debouncer.next_deadline()
            if due is None:
                due = self.referee.next_deadline()
                due = end if due is None else max(due, self.now + PERIOD_S)
            else:
                due = self.now + PERIOD_S
            self._scan(min(due, end))
        return self

    def _scan(self, now: float) -> None:
        self.now = now
        closed = 0
        for space in self.wood:
            closed |= 1 << space
        scan = Scan(now, closed & ~self.dead, self.buttons)
        sensed = self.debouncer.feed(scan)
        try:
            self.events += self.referee.step(sensed)
        except RuntimeError:
            if not self.forgiving:
                raise
        self.debouncer.leave_out(self.referee.masked)

    def settle(self) -> "Story":
        return self.wait(0.6)

    # -- what came of it ----------------------------------------------------------------------

    @property
    def played(self) -> list[str]:
        """The actions that stand in the record."""
        return [format_action(self.game.start.board, a) for a in self.game.actions]

    @property
    def done(self) -> list[str]:
        """The actions that were completed, those taken back included."""
        return [
            format_action(self.game.start.board, v.cascade.action)
            for v in self.events
            if isinstance(v, Done)
        ]

    @property
    def taken_back(self) -> int:
        return sum(isinstance(v, TakenBack) for v in self.events)

    @property
    def view(self) -> View:
        return view_of(self.referee, self.now)

    def is_in(self, mode: Mode) -> bool:
        return self.referee.mode is mode

    def wrong(self) -> tuple[str | None, str | None] | None:
        """The names of what is complained about: where a piece stands and where it belongs."""
        pair = self.view.wrong
        if pair is None:
            return None
        names = [None if space is None else self.grid.names[space] for space in pair]
        return names[0], names[1]

    def is_over(self) -> bool:
        return self.game.outcome is not None

    def is_right(self) -> bool:
        """Whether the game is over, or wood, belief and position agree."""
        return self.is_over() or self.stands()

    def stands(self) -> bool:
        """Whether wood, belief and position agree, identity included."""
        position = dict(standing_of(self.game.position.pieces))
        return self.wood == position == self.referee.state.pieces

    def follow(self, move: Relocation) -> "Story":
        """Do what the lights point out."""
        names = self.grid.names
        if move.origin is not None:
            if move.origin not in self.wood:
                return self
            if move.target is None:
                return self.off(names[move.origin])
            return self.move(names[move.origin], names[move.target])
        assert move.target is not None
        if move.target in self.wood:  # it stands there already: the contact does not say so
            return self
        assert move.piece is not None
        if move.piece in self.hand:
            self.hand.remove(move.piece)
        elif move.held and self.hand:
            return self.drop(names[move.target])
        return self.add(names[move.target], move.piece)

    def lead(self, most: int = 40) -> "Story":
        """Do what the lights point out until they point out nothing more.

        What stays lit although it is done is said to be done, by both buttons.
        """
        before = None
        for _ in range(most):
            view = self.view
            lit = view.next
            if view.wrong is not None:
                origin, target = view.wrong
                assert target is not None
                lit = Relocation(view.position.piece_at(target), origin, target)
            if lit is None and view.surplus:
                lit = Relocation(None, (view.surplus & -view.surplus).bit_length() - 1, None)
            if lit is None and view.missing:
                space, piece = view.missing[0]
                lit = Relocation(piece, None, space)
            if lit is None:
                return self.settle()
            if lit == before:
                before = None
                self.press(Buttons.LIGHT | Buttons.DARK, 3.2)
            else:
                before = lit
                self.follow(lit)
        raise AssertionError(f"led about without end: {self.view}")


class Way(NamedTuple):
    """Where a piece of wood goes in an action: from `origin` to `target`, None off the board."""

    origin: int
    target: int | None


def ways_of(position: Position, text: str) -> tuple[list[Way], Way | None]:
    """Return the true relocations of an action, and that of the acting piece after it acted."""
    action = parse_action(position.board, text)
    cascade = resolve(position, action)
    entered = action.target if isinstance(action, Step) else action.space  # type: ignore[union-attr]
    stood = {space: space for space in standing_of(position.pieces)}
    if isinstance(action, Step):
        del stood[action.origin]
    stood[entered] = ACTOR
    ends: dict[int, int | None] = {}
    for event in cascade.consequences:
        piece = stood.pop(event.origin)
        ends[piece] = event.target
        if event.target is not None:
            stood[event.target] = piece
    others = [Way(s, t) for s, t in ends.items() if s != ACTOR and s != t]
    end = ends.get(ACTOR, entered)
    return others, None if end == entered else Way(entered, end)


ACTOR = -1


def carry_out(
    story: Story,
    text: str,
    *,
    first: Sequence[str] = (),
    choose: Callable[[Sequence[Way]], Way] | None = None,
    rest_s: Callable[[], float] = lambda: 0.2,
) -> Story:
    """Carry out an action with all its relocations by hand, without looking at the lights.

    The step comes as soon as it can, then the pieces named in `first`, then the others; or
    `choose` picks from what can be done at each moment (the step is a way from its origin).
    """
    position = story.game.position
    names = story.grid.names
    action = parse_action(position.board, text)
    others, last = ways_of(position, text)
    if isinstance(action, Step):
        step = Way(action.origin, action.target)
    else:
        assert isinstance(action, Placement)
        step = Way(ACTOR, action.space)
    todo = [step, *sorted(others, key=lambda w: names[w.origin] not in first)]
    pieces = standing_of(position.pieces)
    while todo:
        ready = [
            way
            for way in todo
            if (way.target is None or way.target not in story.wood)
            and (way == step or step not in todo or pieces[way.origin].side is not position.side)
        ]
        way = choose(ready) if choose is not None else ready[0]
        todo.remove(way)
        if way == step and last is not None:
            todo.append(last)
            pieces[last.origin] = shif(position.side)
        if way.origin == ACTOR:
            story.add(names[step.target or 0], shif(position.side), wait=rest_s())
        elif way.target is None:
            story.off(names[way.origin], wait=rest_s())
        else:
            story.move(names[way.origin], names[way.target], wait=rest_s())
        if story.game.outcome is not None:
            break
    return story
