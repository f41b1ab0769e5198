"""Shows spectators a match while it is played: public views, record lines and searches."""
