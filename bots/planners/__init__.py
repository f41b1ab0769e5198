"""Search algorithms that know no game and no bot; a clock, if needed, is passed in."""
