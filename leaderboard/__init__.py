"""Result tables -> leaderboards: who is better, how sure that is, what it costs. Reads no records, starts nothing.

`frame` (rows to arrays) -> `strengths` -> `findings` (sentences) -> `ranking` -> `standings` (the values). Only `live`,
`standings`, `columns`, `metrics` and `table` load neither numpy nor pandas.
"""
