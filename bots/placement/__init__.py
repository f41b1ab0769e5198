"""Bots for placement and the movement planner that they share, after an article's steps:

| step | module |
|---|---|
| pre-rotated pieces | `potential.pre_rotate` |
| fit map: the whole board at once | `gridjoust.games.placement.pieces.fits` |
| potential placements, potential map | `potential` |
| what a plan is asked for, how near a cell is | `task` |
| normal moves, states that need a placement, two frontiers, pruning, closest plan | `beam.plan_beam` |
| cached fit data under plain keys | `potential.FitCache` |
| quantum map | `quantum.plan_quantum` |
| search without pruning | `astar.plan_astar` |
| slopes of Dijkstra maps and D* Lite, pieces fitted along them | `slopes` |
| choice among tactical goals | `tactics` |
| planning cases from a file | `solve` |

The fit maps and Zobrist keys of the article were measured and not chosen: `study/alternatives`. The article is
Jurie Horneman, "Planning Movement on Player-Modifiable Maps".
"""
