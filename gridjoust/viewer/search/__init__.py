"""The bots' debug layers of their searches: live, or by asking them again from a record."""
