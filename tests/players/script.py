"""A thinker that answers what a test says."""

from sorcel_pi.players.thinker import Answer, Request


class Script:
    """A thinker that answers what a test says."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.said: list[Answer] = []
        self.done: list[str] = []

    def ask(self, request: Request) -> None:
        self.asked.append(request)

    def cancel(self) -> None:
        self.done.append("cancel")

    def hurry(self) -> None:
        self.done.append("hurry")

    def answers(self) -> list[Answer]:
        said, self.said = self.said, []
        return said

    def kill(self) -> None:
        self.done.append("kill")

    def close(self) -> None:
        self.done.append("close")
