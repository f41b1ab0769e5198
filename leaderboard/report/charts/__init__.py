"""Values -> SVG text. Pure functions without a scale of their own; they know no tournament and no colours but classes.

All widths are in per cent of the room a chart is given and all heights in px, so that text keeps its size from a phone
to paper.
"""
