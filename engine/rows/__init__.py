"""The machine room: what all games are played on quickly, in plain Python and compiled from the same source.

A game brings a core (`engine.rows.core` says what that is), functions on rows of whole numbers. On it `games` plays
many games, `rounds` the rounds of a search. They run as they stand, on lists, and with the extra `fast` compiled by
Numba, on arrays. Nothing here knows a game by its name, and `compiling` and `arrays` alone need the extra.
"""
