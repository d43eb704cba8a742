"""Who else has a say: an organisation, a workspace, layers of settings, a brand."""
