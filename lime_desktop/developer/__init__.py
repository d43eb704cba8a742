"""What is a developer's loop, without a window? New apps from templates, a folder watched, what is told of it."""
