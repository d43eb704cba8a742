"""Questions to the person, beside the views and drawn by the shell alone: no page can cover or forge one."""
