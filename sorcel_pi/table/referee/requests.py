"""What the players ask for by a button or on the page: end turn, take back, accept, raise."""

from ...messages.message import message
from ...rules.actions import EndTurn, Pass, legal_actions
from ...rules.hexgrid import mask_of
from ..events import (
    Accepted,
    Dropped,
    NewGameRequested,
    Notice,
    PaletteRequested,
    ShutdownRequested,
    TakenBack,
)
from ..relocation import Relocation
from ..sensing.buttons import Press
from ..view import Mode
from . import watching
from .inference import Open, standing_of, unseen_candidates
from .match import Match

MAX_DEAD = 2
"""Accepting the pieces as they are masks no more contacts than this."""


def press(match: Match, pressed: Press) -> None:
    """Do what a press of the buttons asks for."""
    if pressed is Press.MENU:
        match.events.append(NewGameRequested() if match.mode is Mode.OVER else PaletteRequested())
    elif pressed is Press.HOLD_MENU:
        match.events.append(ShutdownRequested())
    elif pressed is Press.HOLD_BOTH:
        accept(match)
    elif pressed is Press.BOTH:
        if match.mode is Mode.CONFIRM:
            match.events.append(NewGameRequested())
        else:
            match.shown_until_s = match.now + match.timing.show_s
    elif pressed.held:
        take_back(match)
    elif pressed.side is match.position.side:
        # What stands there counts first; the turn may be over by that.
        match.belief.admit()
        watching.just_before(match, None)
        if pressed.side is match.position.side:
            _short(match)


def _short(match: Match) -> None:
    """The mover's button has been pressed shortly."""
    if match.mode is Mode.ASK:
        lit_s = match.controls.pressed_s - match.asked_s
        if lit_s >= 0.0:  # a button that was down before the question does not answer it
            answer(match, int(lit_s / match.timing.ask_s) % (len(match.options) + match.may_end))
    elif match.position.coins is not None and match.spots():
        raise_stake(match)
    else:
        end_turn(match)


def answer(match: Match, number: int) -> None:
    """Answer the question by the number of a candidate, from 0; the last may be to end the turn."""
    if match.mode is Mode.ASK and 0 <= number < len(match.options):
        match.take_up(match.options[number])
    elif match.mode is Mode.ASK and match.may_end and number == len(match.options):
        match.drop_question()
        _end(match)


def _unseen(match: Match) -> list[Open]:
    """Return the actions that no contact would have told, while all stands in its place."""
    if match.mode is not Mode.PLAY or match.open is not None or match.leading:
        return []
    if match.belief.displaced or match.belief.hand:
        return []
    return unseen_candidates(match.position, match.belief, match.masked, match.raised)


def end_turn(match: Match) -> None:
    """End the mover's turn early, where that is allowed and nothing else can be meant."""
    if unseen := _unseen(match):
        match.ask(unseen, may_end=EndTurn() in legal_actions(match.position))
    else:
        _end(match)


def _end(match: Match) -> None:
    if match.mode is Mode.PLAY:
        watching.judge(match, match.now - match.timing.landed_s)
        if match.open is not None and match.open.is_done(match.belief):
            match.complete()
    if match.mode is not Mode.PLAY:
        match.events.append(Notice(message("notice.no_end_now")))
    elif match.open is not None:
        match.events.append(Notice(message("notice.pushed_then_end")))
    elif EndTurn() in legal_actions(match.position) and match.game.outcome is None:
        match.play(EndTurn())
        match.changed_s, match.judged = match.now, False
    else:
        match.events.append(Notice(message("notice.end_after_step")))


def raise_stake(match: Match) -> None:
    """Raise what the next placement pays by one, from the purse back to the stake."""
    position = match.position
    coins = position.coins
    if match.mode is not Mode.PLAY or coins is None or not match.spots():
        return
    paid = (match.raised or coins.stake) + 1
    match.raised = None if paid > coins[position.side] else paid
    if match.raised is None and (unseen := _unseen(match)):
        match.ask(unseen)


def take_back(match: Match) -> None:
    """Take the question, the open action or else the last completed one back."""
    if match.mode is Mode.ASK:
        match.drop_question()
        match.changed_s = match.now  # else it would be asked again at once
    elif match.open is not None:
        opened, match.open = match.open, None
        match.lead_back()
        match.events.append(Dropped(opened.cascade))
    elif match.mode in (Mode.PLAY, Mode.OVER, Mode.RESTORE) and match.game.cascades:
        cascade = match.game.undo()
        while isinstance(cascade.action, Pass) and match.game.cascades:
            match.events.append(TakenBack(cascade))
            cascade = match.game.undo()
        match.events.append(TakenBack(cascade))
        match.lead_back()
    else:
        match.events.append(Notice(message("notice.nothing_to_take_back")))


def accept(match: Match) -> None:
    """Take the lit relocation, or the whole board, as it should be."""
    seen = match.seen
    moves = match.plan()
    if match.mode in (Mode.OVER, Mode.CONFIRM, Mode.ASK):
        return
    if moves:
        move = moves[0]
        match.belief.carry_out(move, match.now)
        wrong = _disagree(match, seen, move)
    else:
        target = standing_of(match.position.pieces)
        wrong = (mask_of(list(target)) ^ seen) & ~match.masked
        if wrong.bit_count() > MAX_DEAD:
            match.events.append(Notice(message("notice.too_many_disagree")))
            return
        match.belief.assume(match.position.pieces)
    match.leave_out(wrong)
    match.shown_until_s = match.now + match.timing.show_s
    match.events.append(Accepted())
    match.changed_s, match.judged = match.now, False
    match.problem = ""
    match.check_target()


def _disagree(match: Match, seen: int, move: Relocation) -> int:
    """Return the mask of contacts that say that `move` has not been done."""
    wrong = 0
    if move.origin is not None and seen >> move.origin & 1:
        wrong |= 1 << move.origin
    if move.target is not None and not seen >> move.target & 1:
        wrong |= 1 << move.target
    return wrong & ~match.masked
