"""What the functions of numbers are given: rows of whole and of decimal numbers, which keep their length."""

Ints = list[int]
Floats = list[float]
