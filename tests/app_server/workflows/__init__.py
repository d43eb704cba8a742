"""Runs of workflows, driven by a real App Server in this process."""
