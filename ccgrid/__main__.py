"""Lets `python -m ccgrid` do what `ccgrid` does."""

from ccgrid.app import main

if __name__ == "__main__":
    main()
