"""Result tables -> leaderboards: who is better, how sure that is, what it costs. Reads no records, starts nothing.

rows or files -> `seats` (arrays) -> `entries` -> `ranking` -> `standings` (the values). numpy is imported only when
something is ranked, pandas only to read tables of many megabytes.
"""
