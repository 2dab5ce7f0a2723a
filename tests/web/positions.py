"""Positions, a game and a board that tests of the page begin with."""

START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"
CHAIN = "5/6/2ff3/4s3/3S5/4Ss2/2F1F2/6/5 l 2/0 4/4 -"  # d5e6 pushes g6 to h6 and f6 to g6
SIX = "5/6/f6/8/9/2ff2F1/F2S3/1sFffS/2sf1 d 4/0 3/0 -"  # a3a2 has six consequences
AHUMM = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 20/20/0/1"
WINS = "5/6/2F1F2/3S4/3S1sf2/8/6s/6/5 l 2/0 4/5 -"  # f5f6 pushes the last Sentinel into g7
SHORT_GAME = "c3d4 d4e4 c4d4 h6i7 h7i8 g7h7 e4f5 f5f6 f6g7"
SMALL = """
name = "small"
side = 4
detaining = ["d4"]
[start.light]
sentinels = ["a2", "a3"]
shifs = ["b2", "b3"]
[start]
dark = "half turn"
"""
