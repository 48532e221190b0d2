"""The different values of columns of the table `cards`, found by jumps in an index."""


def different_values(*columns: str) -> str:
    """Return the query for all different combinations of columns, which must be the first ones of an index.

    SQLite jumps from each value to the next, where DISTINCT would read the whole index. Unknown values are left out.
    """
    tables, before, known = [], "", "(SELECT 1)"
    for place, column in enumerate(columns):
        own, same = f"each_{column}", "".join(f" AND cards.{name} = {known}.{name}" for name in columns[:place])
        following = same.replace(known, own) + f" AND cards.{column} > {own}.{column}"
        steps = [
            f"SELECT {before}(SELECT min({column}) FROM cards WHERE TRUE{test}) FROM {table}"  # noqa: S608  our own names
            for table, test in ((known, same), (f"{own} WHERE {column} IS NOT NULL", following))
        ]
        tables.append(f"{own} ({before}{column}) AS ({' UNION ALL '.join(steps)})")
        before, known = f"{before}{column}, ", own
    return f"WITH RECURSIVE {', '.join(tables)} SELECT * FROM {known} WHERE {columns[-1]} IS NOT NULL"  # noqa: S608
