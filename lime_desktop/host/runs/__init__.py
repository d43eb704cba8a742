"""Runs of agents as the desktop follows them: tasks, sessions, conversations, what they produced."""
