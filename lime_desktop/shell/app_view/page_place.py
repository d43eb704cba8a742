"""Where the keyboard was in a page, for whoever takes it from there and brings it back.

The engine takes it from whatever had it as soon as it looks for words, and leaves it at what was found only where that can
have it. Someone who looked something up while typing wants to go on typing.
"""

from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineScript

_WORLD = QWebEngineScript.ScriptWorldId.ApplicationWorld.value
_INNERMOST = """
  const innermost = (document) => {
    const inside = (each) => each?.shadowRoot?.activeElement ?? each?.contentDocument?.activeElement;
    let at = document?.activeElement;
    for (let next = inside(at); next; next = inside(at)) at = next;
    return at;
  };
"""
# Its own world's variable: no script of the app sees it, and it goes with the document.
_KEEP = f"""
(() => {{
  {_INNERMOST}
  const element = innermost(document);
  const page = element?.ownerDocument;
  if (!page || element === page.body) {{ globalThis.limeKeyboardPlace = undefined; return; }}
  const selection = page.getSelection();
  const isEdited = element.isContentEditable && selection.rangeCount > 0;
  globalThis.limeKeyboardPlace = {{
    element,
    range: isEdited ? selection.getRangeAt(0).cloneRange() : undefined,
    start: element.selectionStart,
    end: element.selectionEnd,
  }};
}})()
"""
_GO_BACK = f"""
(() => {{
  {_INNERMOST}
  const place = globalThis.limeKeyboardPlace;
  globalThis.limeKeyboardPlace = undefined;
  const at = innermost(document);
  const isTypedInto = (each) => each.isContentEditable || each.matches("input, textarea, select");
  // The engine gives the keyboard to a button or a link with what was found in it, where letters are lost.
  const isOnlyFound = () => !isTypedInto(at) && at.contains(at.ownerDocument.getSelection().anchorNode);
  const goesOnTyping = place?.element.isConnected && isTypedInto(place.element);
  if (at && at !== at.ownerDocument.body && !(goesOnTyping && isOnlyFound())) {{
    const selection = at.ownerDocument.getSelection();
    const isSame = (range) => range.compareBoundaryPoints(0, place.range) === 0 && range.compareBoundaryPoints(2, place.range) === 0;
    const isUnmoved = place?.range
      ? selection.rangeCount > 0 && isSame(selection.getRangeAt(0))
      : place?.start === at.selectionStart && place?.end === at.selectionEnd;
    // What the person had selected themselves, before they looked for anything, stays so.
    if (place?.element === at && isUnmoved) return;
    // Found in what is typed into: the caret goes behind it, or the next letter would replace what was looked for.
    if (at.isContentEditable) selection.collapseToEnd();
    else if (typeof at.selectionEnd === "number") at.setSelectionRange(at.selectionEnd, at.selectionEnd);
    return;
  }}
  if (!place?.element.isConnected) return;
  const {{ element, range, start, end }} = place;
  // What was found stays selected for whoever only read: Tab goes on from there.
  if (!goesOnTyping && at?.ownerDocument.getSelection().type === "Range") return;
  element.focus({{ preventScroll: true }});
  if (range) {{
    const selection = element.ownerDocument.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }} else if (typeof start === "number") {{
    element.setSelectionRange(start, end);
  }}
}})()
"""


class PagePlace:
    """Keeps one place of one page. What the page does meanwhile with the keyboard is its own wish, and stays so."""

    def __init__(self, page: QWebEnginePage) -> None:
        self._page = page

    def keep(self) -> None:
        """Note what has the keyboard, and what is selected there."""
        self._page.runJavaScript(_KEEP, _WORLD)

    def go_back(self) -> None:
        """Give the keyboard back to it, unless something else has it or it is gone; the page does not scroll."""
        self._page.runJavaScript(_GO_BACK, _WORLD)
