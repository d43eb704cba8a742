"""Installing, updating and removing apps as a person sees it.

``flow`` leads from page to page; each page shows one thing and says what the person decided. Nothing here judges a
package: every fact comes from `host.app_center`.
"""
