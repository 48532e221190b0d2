"""Imports from end to end, and what helps to write a layout."""
