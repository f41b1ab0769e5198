"""Draws charts as SVG text. Pure functions that know no tournament, and colours only as CSS classes.

All widths are in per cent of the room a chart is given and all heights in px, so that text keeps its size from a phone
to paper.
"""
