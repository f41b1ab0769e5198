"""What the bot beside this file imports."""

ANSWER = "wait"
