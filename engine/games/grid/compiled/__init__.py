"""What plays the grid game compiled by Numba, for those who installed the extra `fast`."""
