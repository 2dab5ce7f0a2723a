"""One sitting of calibration, question by question, for whoever shows it and takes the answers.

Passes come in: what is closed, the time, perhaps an answer.  The question with its answers, what
is to be lit and what there is to say come out.  It knows no device, terminal, page or clock, and
nothing that shows it decides anything.
"""

from collections.abc import Generator
from enum import Enum
from typing import NamedTuple

from ..messages.message import Message, message
from ..rules.hexgrid import mask_of
from .overlap import SlideOff
from .wiring import FindContacts, FindLights

RUN_S = 0.15
"""How long each light is on in a run over all of them."""


class Answer(Enum):
    """What can be answered, each with its text `answer.VALUE`."""

    GO_ON = "go_on"
    DEAD = "dead"
    DARK = "dark"
    BACK = "back"
    YES = "yes"
    NO = "no"
    AGAIN = "again"
    ENOUGH = "enough"
    END = "end"


class Question(NamedTuple):
    """What is asked, and how things stand meanwhile."""

    line: Message
    answers: tuple[Answer, ...]
    space: int | None = None
    """The space it is about, to be marked where the board is drawn."""
    light: int | None = None
    """The light that is on; None: all are dark."""
    known: int = 0
    """The mask of the spaces that need not be asked for again."""
    dead: int = 0
    """The mask of those whose contact does not close."""
    done: int = 0
    """So many of all have been asked for."""


class Pass(NamedTuple):
    """One look at the board: the mask of what is closed, None where it cannot be read."""

    closed: int | None
    time_s: float
    answer: Answer | None = None


Questions = Generator[Question, Pass, None]


class Sitting:
    """Asks until there is nothing to ask: `question` is None then."""

    def __init__(self) -> None:
        """Put the first question."""
        self.number = 0
        """Which question it is; an answer to an earlier one does not count."""
        self.said: list[Message] = []
        """What there is to say, before the question; whoever says it clears it."""
        self.of = self._count()
        """So many things are asked for."""
        self._asking = self._questions()
        self.question: Question | None = next(self._asking, None)

    def feed(self, seen: Pass) -> None:
        """Take in a pass."""
        before = self.question
        try:
            self.question = self._asking.send(seen)
        except StopIteration:
            self.question = None
        if (before and before[:2]) != (self.question and self.question[:2]):
            self.number += 1

    def spaces(self, closed: int) -> int:
        """Return the mask of the spaces to which what is closed belongs, as far as is known."""
        raise NotImplementedError

    def _count(self) -> int:
        raise NotImplementedError

    def _questions(self) -> Questions:
        raise NotImplementedError

    def _say(self, said: Message | None) -> None:
        if said is not None:
            self.said.append(said)


class Finding(Sitting):
    """Finds the contact of every space, then the space of every light; passes are by place."""

    def __init__(
        self,
        contacts: FindContacts,
        lights: FindLights,
        *,
        asks_contacts: bool = True,
        asks_lights: bool = True,
    ) -> None:
        """Ask for what `contacts` and `lights` do not know yet."""
        self.contacts, self.lights = contacts, lights
        self._asks_contacts, self._asks_lights = asks_contacts, asks_lights
        super().__init__()

    def spaces(self, closed: int) -> int:
        """Return the spaces to which places belong."""
        found = self.contacts.found
        return mask_of(space for space, place in found.items() if closed >> place & 1)

    def _count(self) -> int:
        return self.contacts.grid.n

    def _questions(self) -> Questions:
        if self._asks_contacts and self.contacts.asked is not None:
            yield from self._find_contacts()
        if self._asks_lights and self.lights.asked is not None:
            yield from self._find_lights()

    def _find_contacts(self) -> Questions:
        contacts, n = self.contacts, self.contacts.grid.n
        done = len(contacts.found) + len(contacts.dead)
        if done:
            self._say(message("cal.going_on", n=done, m=n))
        seen = yield self._ask(message("cal.empty"), Answer.GO_ON)
        while seen.answer is not Answer.GO_ON:
            seen = yield self._ask(message("cal.empty"), Answer.GO_ON)
        while seen.closed is None:  # the empty board has to be seen
            seen = yield self._ask(message("cal.unread"))
        self._say(contacts.begin(seen.closed))
        self._say(message("cal.contacts"))
        while (space := contacts.asked) is not None:
            light = next((k for k, at in self.lights.found.items() if at == space), None)
            seen = yield self._ask(
                self._where(space), Answer.DEAD, Answer.BACK, space=space, light=light
            )
            if seen.closed is not None:
                self._say(contacts.feed(seen.closed, seen.time_s))
            if seen.answer is Answer.DEAD:
                contacts.skip()
            elif seen.answer is Answer.BACK:
                contacts.back()

    def _find_lights(self) -> Questions:
        lights = self.lights
        self._say(message("cal.lights"))
        while (light := lights.asked) is not None:
            if lights.proposal is not None:
                if (yield from self._run_is_right(lights.proposal)):
                    lights.accept()
                    return
                continue
            seen = yield self._ask(
                message("cal.light", light=light),
                Answer.DARK,
                Answer.BACK,
                light=light,
                about=lights,
            )
            if seen.closed is not None:
                self._say(lights.feed(self.spaces(seen.closed), seen.time_s))
            if seen.answer is Answer.DARK:
                lights.skip()
            elif seen.answer is Answer.BACK:
                lights.back()

    def _run_is_right(self, layout: tuple[int, ...]) -> Generator[Question, Pass, bool]:
        """Let the lights run over the board by a layout, and ask whether each was right."""
        seen = Pass(None, 0.0)
        while seen.answer is not Answer.YES:
            for light in sorted(range(len(layout)), key=lambda light: layout[light]):
                yield from self._show(light, layout[light])
            seen = Pass(None, 0.0)
            while seen.answer is None:
                seen = yield self._ask(
                    message("cal.right"), Answer.YES, Answer.NO, Answer.AGAIN, about=self.lights
                )
            if seen.answer is Answer.NO:
                self.lights.refuse()
                return False
        return True

    def _show(self, light: int, space: int) -> Questions:
        """Let one light be on for a while."""
        asked = self._ask(message("cal.run"), space=space, light=light, about=self.lights)
        began = yield asked
        while (yield asked).time_s - began.time_s < RUN_S:
            pass

    def _where(self, space: int) -> Message:
        """Say which space is asked for, and how to find it."""
        grid, contacts = self.contacts.grid, self.contacts
        row = next(row for row in grid.rows if space in row)
        return message(
            "cal.contact",
            n=len(contacts.found) + len(contacts.dead) + 1,
            m=grid.n,
            at=grid.names[space],
            row=grid.names[space][0],
            k=row.index(space) + 1,
            of=len(row),
        )

    def _ask(
        self,
        asked: Message,
        *answers: Answer,
        space: int | None = None,
        light: int | None = None,
        about: FindLights | None = None,
    ) -> Question:
        """Put a question about the contacts, or about the lights."""
        known = self.contacts.found if about is None else about.found.values()
        dead = self.contacts.dead
        done = len(self.contacts.found) + len(dead)
        if about is not None:
            done = len(about.found) + len(about.dead)
        answers = (*answers, Answer.END)
        return Question(asked, answers, space, light, mask_of(known), mask_of(dead), done)


class Sliding(Sitting):
    """Watches a piece that is slid off a space in six directions; passes are by space."""

    def __init__(self, watch: SlideOff) -> None:
        """Let `watch` see every pass."""
        self.watch = watch
        super().__init__()

    def spaces(self, closed: int) -> int:
        """Return the spaces as they are."""
        return closed

    def _count(self) -> int:
        return len(self.watch.slides)

    def _questions(self) -> Questions:
        watch = self.watch
        names, before = watch.grid.names, None
        asked = message("slide.ask", at=names[watch.space])
        while not watch.is_complete:
            done = [k for k, slide in watch.slides.items() if slide.done]
            seen = yield Question(
                asked, (Answer.ENOUGH,), watch.space, known=mask_of(done), done=len(done)
            )
            if seen.answer is not None:
                break
            if seen.closed is not None:
                watch.feed(seen.closed, seen.time_s)
            if watch.closed != before:
                before = watch.closed
                spaces = " ".join(watch.grid.names_of(before))
                self._say(
                    message("slide.closed", spaces=spaces) if spaces else message("slide.none")
                )
        self.said += watch.report()
