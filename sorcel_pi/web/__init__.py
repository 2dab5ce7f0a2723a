"""The page: the table on a screen, for those who play on it and those who watch.

It shows snapshots that the loop has made, and hands on what is asked; it holds no rule of the game.
"""
