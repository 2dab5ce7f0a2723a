"""The firmware's very files on MicroPython for the Pico, in an emulator of the RP2040."""
