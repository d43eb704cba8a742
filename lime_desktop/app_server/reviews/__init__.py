"""What does a person say to this? Reviews that apps ask for, as facts of the runtime: asked once, answered once, kept."""
