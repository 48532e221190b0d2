"""Helpers shared by the tests; the first line of each module describes its contents."""
