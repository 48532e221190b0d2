"""The ninecard game in rows of numbers: functions that run as they stand, on lists, or compiled."""
