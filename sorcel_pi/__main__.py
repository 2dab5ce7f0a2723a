"""`python -m sorcel_pi` is the command `sorcel`."""

from .cli import main

if __name__ == "__main__":
    main()
