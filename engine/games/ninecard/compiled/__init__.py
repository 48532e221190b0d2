"""What plays the ninecard game compiled by Numba, for those who installed the extra `fast`."""
