"""What plays a contest: admission of versions, the schedule, and the process that does both."""
