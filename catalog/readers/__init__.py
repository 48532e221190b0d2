"""Readers of files as people have them: streams, archives, tables, JSON and XML, a row at a time."""
