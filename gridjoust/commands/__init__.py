"""Arguments to calls, results to text, errors to exit codes. The only place that prints; decides nothing.

Exit codes: 0 all well, 1 something does not hold (a record, a check), 2 the user's files or arguments, 3 the world
(broker, network, disk), 4 a bug of ours or of a game, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

from gridjoust.commands.app import main as main
