import pytest

from lime_desktop.app_package.text.app_md import ChecklistItem, parse_app_md, section_key
from lime_desktop.app_package.text.plain_text import ReadingBudget

GUIDE = """---
name: app
---
# App

## 何时使用 / When to Use
When planning.

```md
## Workflow
not a heading
```

## Verification Checklist
- [ ] It opens
- [x] It saves
  * [X] Twice

### Detail
Still the checklist.

## Something else
Not a known section.

## Red flags ##
~~~
## 故障排查
~~~
"""


def test_known_sections_are_found_with_their_lines_and_code_is_respected() -> None:
    document = parse_app_md(GUIDE.encode(), ReadingBudget())
    found = {key: (each.title, each.line) for key, each in document.sections.items()}
    assert found == {
        "when_to_use": ("何时使用 / When to Use", 6),
        "verification_checklist": ("Verification Checklist", 14),
        "red_flags": ("Red flags", 25),
    }
    assert document.sections["verification_checklist"].checklist == (
        ChecklistItem("It opens", is_checked=False, line=15),
        ChecklistItem("It saves", is_checked=True, line=16),
        ChecklistItem("Twice", is_checked=True, line=17),
    )
    assert document.sections["verification_checklist"].text.endswith("Still the checklist.")


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("何时使用", "when_to_use"),
        ("WHEN TO USE", "when_to_use"),
        ("不适用场景 / Not Suitable For", "not_suitable_for"),
        ("Workflow（工作流程）", "workflow"),
        ("快速开始", "quickstart"),
        ("红旗信号", "red_flags"),
        ("验证清单:", "verification_checklist"),
        ("Troubleshooting | 故障排查", "troubleshooting"),
        ("Workflows of others", None),
    ],
)
def test_headings_are_known_in_either_language(title: str, key: str | None) -> None:
    assert section_key(title) == key


def test_frontmatter_may_end_in_dots_and_hold_rules_below() -> None:
    document = parse_app_md(b"---\nname: app\n...\nGuide\n\n---\nMore\n", ReadingBudget())
    assert document.frontmatter.value == {"name": "app"}
    assert (document.body, document.body_line) == ("Guide\n\n---\nMore\n", 4)
    assert document.problems == []
