"""Games as rows of numbers: functions on lists that run as they stand, and compiled where the extra `fast` is there.

Nothing here imports Numba. `engine.kernels.compiled` compiles these very functions for arrays, so that what is found
is the same; they use whole numbers of 64 bits, decimal numbers, lists of both that keep their length, and each other.
"""
