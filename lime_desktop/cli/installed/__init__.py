"""Commands about installed apps, organisations and workspaces."""
