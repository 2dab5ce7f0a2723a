"""How this board is wired: the numbers of the pins (GP0 and so on) and of the lights."""

ROWS = (2, 3, 4, 5, 6, 7, 8, 9)
COLUMNS = (10, 11, 12, 13, 14, 15, 16, 17)
BUTTONS = (18, 19, 20)  # Light, Dark, menu
REGISTERS = 0  # 74HC165 in a chain instead of rows and columns; 0: a matrix
LOAD = 2  # of such a chain; rows and columns are not used then
CLOCK = 3
DATA = 4
JUMPER = 21  # to ground: maintenance, the program is not started
LIGHTS = 22
SPACES = 61

DRIVE_US = 20  # from driving a row until its contacts are read
RELEASE_US = 100  # from letting go of a row until the next is driven
MAX_MA = 1500  # what supply, fuse and wires of the lights bear; holds whatever the host allows
