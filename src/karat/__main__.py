"""`python -m karat` is the command `karat`."""

from karat.cli import main

if __name__ == "__main__":
    main()
