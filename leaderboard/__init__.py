"""Result tables -> leaderboards: who is better, how sure that is, what it costs. Reads no records, starts nothing.

`frame` (rows to arrays) -> `strengths` -> `ranking` and `findings` (sentences) -> `board`; its values are `standings`.
Only `live`, `standings`, `columns`, `metrics` and `table` load neither numpy nor pandas.
"""
