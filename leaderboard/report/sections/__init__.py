"""Sections of the report, one module per question; each makes a section, or None if it has nothing to show."""
