"""The pushes and the proximity rule once more, told as rules.md tells them and as slowly.

Pieces are a dictionary from axial coordinates to letters, and nothing is shared with `sorcel_pi`
but the names of spaces.  The tests hold the real thing against it.
"""

from collections import deque

Place = tuple[int, int]
CLOCKWISE = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


class PlainBoard:
    """A board of `side` with `holes` and `pieces`, which maps places to S, F, s or f."""

    def __init__(self, side: int, holes: set[Place], pieces: dict[Place, str]) -> None:
        self.side, self.holes, self.pieces = side, holes, dict(pieces)
        self.events: list[list[str]] = []

    def name(self, place: Place) -> str:
        q, r = place
        return f"{chr(ord('a') + self.side - 1 - r)}{q + self.side}"

    def on_board(self, place: Place) -> bool:
        q, r = place
        return max(abs(q), abs(r), abs(q + r)) < self.side

    def in_play(self, place: Place) -> bool:
        return place in self.pieces and place not in self.holes

    def step(self, origin: Place, target: Place) -> None:
        """Step, push and apply the proximity rule; `events` tells what happened."""
        self.pieces[target] = self.pieces.pop(origin)
        self.push_from(target, (target[0] - origin[0], target[1] - origin[1]))
        self.take_strays_off()

    def push_from(self, entered: Place, heading: Place) -> None:
        identity = {place: object() for place in self.pieces}  # pieces as things, not letters
        pushed: dict[object, int] = {}
        queue = deque([(identity[entered], 0, entered, heading)])
        while queue:
            piece, times, place, heading = queue.popleft()
            if pushed.get(piece, 0) != times or not self.in_play(place):
                continue
            first = CLOCKWISE.index(heading)
            for way in CLOCKWISE[first:] + CLOCKWISE[:first]:
                near = (place[0] + way[0], place[1] + way[1])
                if self.in_play(near) and self.foes(place, near):
                    queue.extend(self.push_line(near, way, identity, pushed))

    def foes(self, one: Place, other: Place) -> bool:
        return self.pieces[one].isupper() != self.pieces[other].isupper()

    def push_line(
        self,
        near: Place,
        way: Place,
        identity: dict[Place, object],
        pushed: dict[object, int],
    ) -> list[tuple[object, int, Place, Place]]:
        """Push the line that begins at `near`; return the entries, the nearest piece's first."""
        line = [near]
        while self.in_play(beyond := (line[-1][0] + way[0], line[-1][1] + way[1])):
            line.append(beyond)
        entries = []
        for place in reversed(line):
            letter, piece = self.pieces.pop(place), identity.pop(place)
            pushed[piece] = pushed.get(piece, 0) + 1
            onto = (place[0] + way[0], place[1] + way[1])
            if not self.on_board(onto):
                self.events.append(["off", self.name(place)])
                continue
            if onto in self.holes and onto in self.pieces:
                self.events.append(["release", self.name(onto)])
            word = "detain" if onto in self.holes else "push"
            self.events.append([word, self.name(place), self.name(onto)])
            self.pieces[onto], identity[onto] = letter, piece
            if onto not in self.holes:
                entries.append((piece, pushed[piece], onto, way))
        return entries[::-1]

    def take_strays_off(self) -> None:
        strays = {place for letters in ("SF", "sf") for place in self.strays(*letters)}
        self.events += sorted(["stray", self.name(place)] for place in strays)
        for place in strays:
            del self.pieces[place]

    def strays(self, sentinel: str, shif: str) -> set[Place]:
        """Return where the unconnected Shifs of one side are."""
        held = {p for p, letter in self.pieces.items() if letter == sentinel and self.in_play(p)}
        loose = {p for p, letter in self.pieces.items() if letter == shif and self.in_play(p)}
        while near := {p for p in loose if any(distance(p, other) <= 2 for other in held)}:
            held |= near
            loose -= near
        return loose


def distance(one: Place, other: Place) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))
