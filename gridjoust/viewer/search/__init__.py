"""What bots show of their searches: live, and asked again from a record."""
