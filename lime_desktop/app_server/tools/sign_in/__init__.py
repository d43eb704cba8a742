"""Signing in to an outside system for an app: OAuth 2.1 with PKCE, through the person's own browser.

`redirect` hears the browser come back, `tokens` talks with the system's token address, `sign_ins` keeps what came of it.
"""
