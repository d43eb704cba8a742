"""Questions to the person, beside the views and drawn by the shell alone: no page can cover or forge one.

They wait in `lime_desktop.host.approvals`; whether one is put is decided in `lime_desktop.policy.steps.approval`.
"""
