"""What apps and their agents ask a person: put, answered, remembered, taken back.

Whether a person is asked at all is decided in `lime_desktop.policy.steps.approval`.
"""
