"""The searches on flat tables, compiled by Cython (setup.py); this folder is never run as Python.

Each function does what the Python code of its planner does, step for step: equal plans, counts and ties. The Python
code is the specification; tests compare the two. Cells from outside are checked, tables are trusted.

All files of a folder are joined in the order of their imports and become one module, `bots.FOLDER._compiled`. The C
compiler then sees the heap and the arcs of a cell together with the loop that calls them, and inlines them; separate
modules would call by pointer for every neighbour. Whole numbers are C's wherever Cython can infer them.
"""
