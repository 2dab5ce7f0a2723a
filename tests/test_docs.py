"""The documents name only what is there: files, headings, commands, options, words, cases."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from sorcel_pi.cli import app

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "sorcel_pi"
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    + [ROOT / folder / "README.md" for folder in ("engine", "firmware", "hardware", "systemd")]
)
CASES = re.findall(
    r"^\| (\d+[a-z]?) \| (\*open:\*|\*partly open:\*)?",
    (ROOT / "docs/cases.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
GLOSSARY = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))


def each_page() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def anchors(page: Path) -> set[str]:
    """Return what the headings of `page` are called in links."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page()
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    for link in links:
        if link.startswith(("https:", "http:")):
            continue
        name, _, heading = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not heading or heading in anchors(target), link


def test_the_program_names_only_documents_that_are_there() -> None:
    named = {
        name
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r"[\w/-]+\.md\b", path.read_text(encoding="utf-8"))
        if "/" in name
    }
    assert named >= {"docs/on-the-pi.md", "firmware/README.md"}
    assert [name for name in named if not (ROOT / name).is_file()] == []


def calls(page: Path) -> Iterator[list[str]]:
    """Yield the words after `sorcel` of each call that stands in code on `page`."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for line in [line for block in blocks for line in block.splitlines()] + spans:
        call = re.match(r"(?:sudo )?(?:\S*/)?sorcel ([^|#]+)", line.strip())
        if call is not None:
            yield shlex.split(call[1])


@each_page()
def test_commands_and_their_options_exist(page: Path) -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    for name, *rest in calls(page):
        assert name in group.commands, name
        parameters = group.commands[name].params
        allowed = {word for each in parameters for word in (*each.opts, *each.secondary_opts)}
        options = [word.split("=")[0] for word in rest if word.startswith("--")]
        assert [option for option in options if option not in allowed] == [], (name, rest)


def test_calls_of_commands_are_found() -> None:
    assert ["service", "install"] in calls(ROOT / "docs/on-the-pi.md")
    assert ["calibrate", "slide", "--space", "e5"] in calls(ROOT / "docs/on-the-pi.md")
    assert any(words[:2] == ["picture", "start"] for words in calls(ROOT / "README.md"))


@pytest.mark.parametrize(("number", "mark"), CASES, ids=[number for number, _ in CASES])
def test_a_case_has_tests_of_its_number_or_is_open(number: str, mark: str) -> None:
    tests = re.findall(rf"^ *(?:async )?def test_{number}_", TESTS, re.MULTILINE)
    assert bool(tests) != (mark == "*open:*"), "mend the mark in docs/cases.md"


def test_numbers_of_tests_are_cases() -> None:
    numbers = set(re.findall(r"^ *(?:async )?def test_(\d+[a-z]?)_", TESTS, re.MULTILINE))
    assert len(CASES) >= 55
    assert numbers <= {number for number, _ in CASES}


WORDS = re.findall(r"(?:`([\w.]+)` in )?`([\w/]+\.py)`", GLOSSARY)


@pytest.mark.parametrize(("name", "path"), WORDS, ids=str)
def test_a_word_of_the_glossary_is_where_it_says(name: str, path: str) -> None:
    text = (PACKAGE / path).read_text(encoding="utf-8")
    owner, _, field = name.partition(".")
    assert not owner or re.search(rf"^(class {owner}\b|{owner} = )", text, re.MULTILINE)
    assert not field or re.search(rf"^    {field}: ", text, re.MULTILINE)


def test_the_glossary_has_words() -> None:
    assert len(WORDS) > 20
