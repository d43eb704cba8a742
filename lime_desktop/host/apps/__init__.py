"""The apps at hand: read, judged, registered with the App Server; what each may do and what it lacks."""
