"""The host's own tools: the services an app has anyway, in a form that an agent can call, and the web.

Each is a row that leads to a method of the App Server. A service that is not served gives no tool.
"""
