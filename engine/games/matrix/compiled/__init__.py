"""What plays the matrix game compiled by Numba, for those who installed the extra `fast`."""
