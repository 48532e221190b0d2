"""Lets `python -m ccgrid` do what `ccgrid` does."""

from ccgrid.start import main

if __name__ == "__main__":
    main()
