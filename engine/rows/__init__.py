"""Fast playouts and searches on integer arrays, from one source for plain Python and Numba.

A game provides a core (see `engine.rows.core`), functions on rows of integers. On it, `games` plays many games, and
`rounds` the playouts of a search. They run unchanged on lists, or with the extra `fast`, compiled by Numba, on arrays.
No game is named here, and only `compiling` and `arrays` need the extra.
"""
