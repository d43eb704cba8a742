"""Commands about models, providers and tool servers."""
