"""Readers of data files, one row at a time: gzip, archives, text, tables, spreadsheets, JSON and XML."""
