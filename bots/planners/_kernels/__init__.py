"""The searches on flat tables, to be compiled by Cython (setup.py); never run as Python. Knows no game.

Each function does what the list code of its planner does, step for step: same plans, same counts, same ties. The list
code is the specification; tests compare the two. Cells that come from outside are checked, tables are trusted.

All files of a room are joined in the order of their imports and become one module, `bots.ROOM._compiled`: a C compiler
then sees the heap and the fan of a cell together with the loop that calls them and puts them into it, which modules
that import each other's functions would cost a call by pointer for every neighbour. Whole numbers are C's wherever
Cython can infer them.
"""
