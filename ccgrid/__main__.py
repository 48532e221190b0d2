"""`python -m ccgrid`, the same as the command `ccgrid`."""

from ccgrid.start import main

if __name__ == "__main__":
    main()
