"""Kernels compiled by Numba, for those who installed the extra `fast`; nothing else imports these modules.

Every function has an explicit signature: it is compiled once, when its module is first imported, and kept on disk.
Numbers are of one kind, `uint64`, wherever two meet: of mixed kinds Numba would make signed ones, or fractions.
"""
