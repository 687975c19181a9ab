"""`python -m karat.compat.sacrebleu`."""

from karat.compat.sacrebleu.sacrebleu import main

if __name__ == "__main__":
    main()
