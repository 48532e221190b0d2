"""What plays the tactics game compiled by Numba, for those who installed the extra `fast`."""
