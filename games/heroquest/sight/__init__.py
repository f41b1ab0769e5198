"""Line of sight: the board, straight lines on it, tables of what is seen, and their repair."""
