"""Result tables -> leaderboards: who is better, how sure that is, what it costs. Reads no records, starts nothing.

`gathering` -> `seats` (a data frame) -> `entries` -> `analysis` -> `ranking` -> `standings` (the values). Only `live`,
`standings`, `columns`, `metrics` and `table` load neither numpy nor pandas.
"""
