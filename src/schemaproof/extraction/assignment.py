"""Which item of one list answers to which of the other: the assignment with the largest total weight."""

from __future__ import annotations

from collections.abc import Sequence

FREE = -1


def assign(weights: Sequence[Sequence[int]]) -> list[int]:
    """Assignment of rows to columns with the largest sum of weights.

    Arguments:
        weights: a matrix of whole numbers from 0, all rows of one length; whole numbers, so that equal totals are
            equal. It may be wider or higher than square.

    Returns:
        For each row its column, or `FREE`. Exactly min(rows, columns) rows have one. Of several assignments with
        the same total, which one comes out depends only on the matrix.

    Source: Kuhn 1955; shortest augmenting paths with potentials (Jonker and Volgenant 1987). Time O(r² c) for r
    rows, c columns, r at most c.
    """
    if not weights or not weights[0]:
        return [FREE] * len(weights)
    rows, columns = len(weights), len(weights[0])
    if rows > columns:
        found = assign([[row[column] for row in weights] for column in range(columns)])
        chosen = [FREE] * rows
        for column, row in enumerate(found):
            chosen[row] = column
        return chosen
    if rows == 1:
        return [max(range(columns), key=weights[0].__getitem__)]
    return _augment(weights, rows, columns)


def _augment(weights: Sequence[Sequence[int]], rows: int, columns: int) -> list[int]:
    top = max(map(max, weights))
    row_price = [0] * rows
    column_price = [0] * columns
    row_of = [FREE] * columns
    for start in range(rows):
        # Dijkstra over columns with reduced costs, from one unassigned row to the nearest unassigned column.
        reach: list[int | None] = [None] * columns
        came_from = [start] * columns
        done = [False] * columns
        settled: list[int] = []
        row, base, end = start, 0, FREE
        while end == FREE:
            price, line = row_price[row], weights[row]
            best, nearest = None, FREE
            for column in range(columns):
                if done[column]:
                    continue
                length = base + top - line[column] - price - column_price[column]
                known = reach[column]
                if known is None or length < known:
                    reach[column] = known = length
                    came_from[column] = row
                if best is None or known < best:
                    best, nearest = known, column
            assert best is not None
            done[nearest] = True
            settled.append(nearest)
            base = best
            if row_of[nearest] == FREE:
                end = nearest
            else:
                row = row_of[nearest]
        row_price[start] += base
        for column in settled[:-1]:
            shift = base - (reach[column] or 0)
            column_price[column] -= shift
            row_price[row_of[column]] += shift
        while True:
            row = came_from[end]
            row_of[end], previous = row, end
            if row == start:
                break
            end = next(column for column in settled if row_of[column] == row and column != previous)
    chosen = [FREE] * rows
    for column, row in enumerate(row_of):
        if row != FREE:
            chosen[row] = column
    return chosen
