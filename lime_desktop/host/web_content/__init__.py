"""What an app's origin answers: files, headers, policies and limits. Knows no web engine."""
