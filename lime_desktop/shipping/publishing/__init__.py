"""The vendor's side: keys, a folder that any web server serves, and what is signed in it."""
