"""What a side can do in its turn, and what becomes of the position.

The machinery under `actions`: it works on numbers of spaces and masks, knows no action as a value
and takes for granted that what it is told to do is legal.  What happens to the pieces is told in
a list of consequences, if the caller brings one.
"""

from collections.abc import Callable, Iterator

from .board import Board, Layout, make_tuple
from .cascade import Consequence, settle_pushes, stray_events
from .hexgrid import EAST, spaces_of
from .position import Coins, Position, RuleSet, Side

Events = list[Consequence] | None


# -- what can be done -----------------------------------------------------------------------------


def can_place(rules: RuleSet, side: Side, shifs: int, coins: Coins | None) -> bool:
    """Whether `side`, with `shifs` on the board, has another in reserve and can pay for it."""
    return shifs.bit_count() < rules.shifs and (coins is None or coins[side] >= coins.stake)


def spots(position: Position, side: Side) -> int:
    """Return the mask of hexes on which `side` could place a Shif at the beginning of a turn."""
    board, rules, pieces, _, _, _, coins = position
    if not can_place(rules, side, pieces[2 * side + 1], coins):
        return 0
    empty = board.hexes & ~position.occupied
    return board.grid.adjacent_to[pieces[2 * side] & board.hexes] & empty


def can_step(board: Board, pieces: Layout, side: Side) -> bool:
    """Whether any piece of `side` in play has an empty hex next to it."""
    ls, lf, ds, df = pieces
    grid, hexes = board.grid, board.hexes
    own = (ds | df if side else ls | lf) & hexes
    return grid.exits[own] & (hexes & ~(ls | lf | ds | df)) * grid.lanes != 0


def can_begin(position: Position, side: Side) -> bool:
    """Whether `side`, taken as if it began a turn now, has a step or a placement."""
    steps = position.shifs_in_play(side)
    if steps and can_step(position.board, position.pieces, side):
        return True
    return spots(position, side) != 0


def is_blocked(position: Position) -> bool:
    """Whether the game is drawn because a turn begins and neither side could begin one."""
    return (
        position.steps_made == 0
        and not can_begin(position, position.side)
        and not can_begin(position, position.side.other)
    )


def may_end(position: Position) -> bool:
    """Whether the turn may be ended early."""
    return position.steps_made > 0 and position.steps_left > 0 and position.rules.early_end


def count(position: Position) -> int:
    """Return how many actions are legal; none when the game is over."""
    board, rules, (ls, lf, ds, df), side, left, made, coins = position
    grid, hexes = board.grid, board.hexes
    light, dark, occupied = ls & hexes, ds & hexes, ls | lf | ds | df
    held = occupied & ~hexes
    if not light or not dark or (held.bit_count() >= rules.detained and position.loser is not None):
        return 0
    empty = hexes & ~occupied
    total = 0
    if left:
        own = (ds | df if side else ls | lf) & hexes
        total = (grid.exits[own] & empty * grid.lanes).bit_count()
    if made:
        return total + (1 if left and rules.early_end else 0)
    if can_place(rules, side, df if side else lf, coins):
        total += (grid.adjacent_to[dark if side else light] & empty).bit_count()
    # Nothing to do is one action, to pass, unless the other side is blocked as well.
    return total or int(can_begin(position, side.other))


# -- what it leads to -----------------------------------------------------------------------------


def successors(position: Position) -> Iterator[Position]:
    """Yield the position after each legal action, in no certain order, for `perft`."""
    board, _, (ls, lf, ds, df), side, left, made, _ = position
    if position.loser is not None:
        return
    found = False
    if made == 0:
        for space in spaces_of(spots(position, side)):
            found = True
            yield after_placement(position, space)
    elif may_end(position):
        yield next_turn(position)
    if left:
        step = stepper(position)
        steps = board.grid.steps
        empty = board.hexes & ~(ls | lf | ds | df)
        own = (ds | df if side else ls | lf) & board.hexes
        while own:
            origin = own & -own
            own ^= origin
            for target, bit, heading in steps[origin.bit_length() - 1]:
                if bit & empty:
                    found = True
                    yield step(origin | bit, target, heading)
    if not found and made == 0 and can_begin(position, side.other):
        yield next_turn(position)


def stepper(position: Position, events: Events = None) -> Callable[[int, int, int], Position]:
    """Return a function that takes one legal step and returns the position after it.

    Its arguments are the mask of origin and target, the target and the heading.  What happens is
    appended to `events`.  All that the steps of a position share is worked out here, once, as most
    steps push nobody and then need little more.
    """
    board, rules, (ls, lf, ds, df), side, left, made, coins = position
    hexes, adjacent, loose = board.hexes, board.grid.adjacent, board.grid.loose
    sentinels, shifs, foe_sentinels, foe_shifs = (ds, df, ls, lf) if side else (ls, lf, ds, df)
    foes = (foe_sentinels | foe_shifs) & hexes
    foe_strays = loose[foe_sentinels & hexes, foe_shifs & hexes]
    if left > 1:
        turn = (side, left - 1, made + 1)
    else:
        turn = (side.other, (foe_shifs & hexes).bit_count(), 0)
    turn_side, turn_left, turn_made = turn

    def step(swap: int, target: int, heading: int) -> Position:
        if sentinels & swap:
            tall, short = sentinels ^ swap, shifs
        else:
            tall, short = sentinels, shifs ^ swap
        if side:
            pieces = make_tuple(Layout, (foe_sentinels, foe_shifs, tall, short))
        else:
            pieces = make_tuple(Layout, (tall, short, foe_sentinels, foe_shifs))
        if adjacent[target] & foes:
            return _settled(position, settle_pushes(board, pieces, target, heading, events), events)
        if foe_strays or loose[tall & hexes, short & hexes]:
            return _settled(position, pieces, events)
        # Nobody is pushed or taken off: nothing is lost, and who has stepped can step back.
        return make_tuple(Position, (board, rules, pieces, turn_side, turn_left, turn_made, coins))

    return step


def _settled(position: Position, pieces: Layout, events: Events) -> Position:
    """Return what a step of `position` leads to when its pushes have led to `pieces`."""
    board, rules, _, side, left, made, coins = position
    pieces = _connected(board, pieces, events)
    after = make_tuple(Position, (board, rules, pieces, side, left - 1, made + 1, coins))
    if after.loser is not None:
        return _paid_out(after, after.loser.other)
    return after if left > 1 and can_step(board, pieces, side) else next_turn(after)


def after_placement(
    position: Position,
    space: int,
    coins: int | None = None,
    events: Events = None,
) -> Position:
    """Return the position after a legal placement; what happens is appended to `events`."""
    board, side, purses = position.board, position.side, position.coins
    if purses is not None:
        purses = _paid(purses, side, coins)
    masks = list(position.pieces)
    masks[2 * side + 1] |= 1 << space
    pieces = Layout._make(masks)
    if position.rules.placement_pushes:
        pieces = settle_pushes(board, pieces, space, EAST, events)
    pieces = _connected(board, pieces, events)
    after = position._replace(pieces=pieces, coins=purses)
    if after.loser is not None:
        return _paid_out(after, after.loser.other)
    return next_turn(after)


def _connected(board: Board, pieces: Layout, events: Events) -> Layout:
    """Return the layout that the proximity rule leaves of `pieces`."""
    grid, hexes = board.grid, board.hexes
    ls, lf, ds, df = pieces
    light = grid.loose[ls & hexes, lf & hexes]
    dark = grid.loose[ds & hexes, df & hexes]
    if not light | dark:
        return pieces
    if events is not None:
        events += stray_events(board, pieces, light | dark)
    return make_tuple(Layout, (ls, lf ^ light, ds, df ^ dark))


def next_turn(position: Position) -> Position:
    """Return `position` with the other side's turn begun."""
    board, rules, pieces, side, _, _, coins = position
    other = side.other
    steps = (pieces[2 * other + 1] & board.hexes).bit_count()
    return make_tuple(Position, (board, rules, pieces, other, steps, 0, coins))


def _paid(coins: Coins, side: Side, amount: int | None) -> Coins:
    """Return the coins after `side` has paid `amount`, or the stake, into the pot."""
    paid = coins.stake if amount is None else amount
    light, dark = (coins.light, coins.dark - paid) if side else (coins.light - paid, coins.dark)
    return Coins(light, dark, coins.pot + paid, paid)


def _paid_out(position: Position, winner: Side) -> Position:
    """Return `position` with the pot, where there is one, in the winner's purse."""
    coins = position.coins
    return position if coins is None else position._replace(coins=award_pot(coins, winner))


def award_pot(coins: Coins, winner: Side) -> Coins:
    """Return the coins after `winner` has taken the pot."""
    light = coins.light + (0 if winner else coins.pot)
    dark = coins.dark + (coins.pot if winner else 0)
    return Coins(light, dark, 0, coins.stake)
