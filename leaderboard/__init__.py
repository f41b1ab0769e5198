"""Makes leaderboards of result tables: who is better, how sure that is, what it costs. Reads no records, runs no match.

`frame` (rows to arrays) -> `strengths` -> `ranking` and `findings` (sentences) -> `board`; its values are `standings`.
Only `live`, `standings`, `columns`, `metrics` and `table` load neither numpy nor pandas.
"""
