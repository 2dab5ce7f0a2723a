"""`sorcel show`: a position in the terminal."""

from .common import START, BoardOption, CodeArgument, RulesOption, read_position


def show(code: CodeArgument = START, board: BoardOption = None, rules: RulesOption = None) -> None:
    """Show a position with its legal actions."""
    from .terminal import print_actions, print_position, terminal

    position = read_position(code, board, rules)
    console = terminal()
    print_position(console, position)
    console.print()
    print_actions(console, position)
