"""What an app's calls and tasks did, kept for later proof: written once, joined to artifacts, never changed."""
