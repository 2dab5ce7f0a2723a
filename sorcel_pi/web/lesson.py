"""The first lesson: positions in which one action is wanted, played at the table as any other.

The lights of a companion lead to the wanted action the way they lead any relocation; everything
else (what is legal, what follows, how it is led) is the companion's.  What is said beside it
stands in the catalogue of texts under the name of the step.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from ..rules.actions import Placement, Step
from ..rules.board import standard_board
from ..rules.game import Game
from ..rules.hexgrid import mask_of
from ..rules.notation import format_action, parse_action, parse_position
from ..rules.position import shif
from ..table.companion import Companion
from ..table.events import Done, TableEvent, TakenBack
from ..table.relocation import Relocation
from ..table.view import Mode, View

TAKE_BACK = "take back"


class LessonStep(NamedTuple):
    """A position, and the action that is wanted in it, or `take back` after any action."""

    name: str
    code: str
    action: str
    quick: bool = True
    """Whether what follows is done by itself on a board on the screen; else by hand, as on wood."""


STEPS = (
    LessonStep("move", "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -", "c4d4"),
    LessonStep("push", "5/6/4f2/3S4/2SF2s2/3F2f1/6s/6/5 l 2/0 4/4 -", "f5g6"),
    LessonStep("chain", "5/6/2ff3/4s3/3S5/4Ss2/2F1F2/6/5 l 2/0 4/4 -", "d5e6"),
    LessonStep("detain", "5/6/2F1F2/3S4/3S1fs2/8/2s4/1f4/5 l 2/0 4/4 -", "f5f6"),
    LessonStep("release", "5/6/3S3/4F3/3s5/2f1S3/2f1F2/2s3/5 l 2/0 4/4 -", "f6f5", quick=False),
    LessonStep("proximity", "5/6/4f2/3S4/2SF2s2/3F2f1/6s/6/5 l 2/0 4/4 -", "f5f6", quick=False),
    LessonStep("place", "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -", "+b5"),
    LessonStep("stop_early", "5/2ss2/2fff2/8/9/3F4/2F1F2/2SS2/5 l 2/1 3/3 -", "end"),
    LessonStep("back", "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -", TAKE_BACK),
    LessonStep("win", "5/6/2F1F2/3S4/3S1sf2/8/6s/6/5 l 2/0 4/5 -", "f5f6"),
)


class Lesson:
    """How far the lesson has come."""

    def __init__(self) -> None:
        """Begin with the first step."""
        self.number = 0
        self.done = False

    @property
    def step(self) -> LessonStep:
        """The step that is shown."""
        return STEPS[self.number]

    def game(self) -> Game:
        """Return the step's position as a game."""
        return Game(parse_position(self.step.code), {"Light": "", "Dark": ""})

    def go(self, where: str) -> bool:
        """Go to a step by its name, or `next`; False when that was the last."""
        names = [step.name for step in STEPS]
        number = names.index(where) if where in names else self.number + (where == "next")
        self.done = False
        if number >= len(STEPS):
            return False
        self.number = number
        return True

    def hear(self, event: TableEvent) -> bool:
        """Take note of what was done; True if it was not what is wanted and is to be undone."""
        if self.step.action == TAKE_BACK:
            self.done = self.done or isinstance(event, TakenBack)
            return False
        if not isinstance(event, Done) or self.done:
            return False
        board = event.cascade.before.board
        self.done = format_action(board, event.cascade.action) == self.step.action
        return not self.done

    def as_told(self) -> dict[str, Any]:
        """Return what the page shows of it."""
        return {
            "step": self.step.name,
            "number": self.number + 1,
            "of": len(STEPS),
            "done": self.done,
        }


class LessonCompanion(Companion):
    """A companion whose lights lead to the wanted step, too."""

    lesson: Lesson | None = None

    def view(self, now: float) -> View:
        """Return what there is to see, the wanted step included."""
        view = super().view(now)
        wanted = self._wanted(view)
        if wanted is None:
            return view
        free = view.lifted is None and not view.hand and view.next is None and view.wrong is None
        if isinstance(wanted, Placement):
            piece = shif(view.position.side)
            return replace(view, next=Relocation(piece, None, wanted.space)) if free else view
        if view.lifted == wanted.origin:
            target = mask_of([wanted.target])
            return replace(view, destinations=target, pushing=view.pushing & target)
        if free:
            stepping = view.position.piece_at(wanted.origin)
            return replace(view, next=Relocation(stepping, wanted.origin, wanted.target))
        return view

    def _wanted(self, view: View) -> Step | Placement | None:
        lesson = self.lesson
        if lesson is None or lesson.done or view.mode is not Mode.PLAY:
            return None
        if lesson.step.action == TAKE_BACK or view.position.steps_made:
            return None
        action = parse_action(standard_board(), lesson.step.action)
        return action if isinstance(action, Step | Placement) else None
