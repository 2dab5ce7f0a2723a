"""The rules: a page for everybody, and two printed sheets that say the same."""

import html
import re
from pathlib import Path

import pypdfium2
import pytest

from sorcel_pi.rulebook.pages import LANGUAGES, PICTURES, draw, pdf_name, rules_page, rules_pdf
from tests.cli import bad, good
from tests.web.browser import PHONE, Sit, chromium
from tests.web.looks import look
from tests.web.table import Table

A4 = (595, 842)


def words_of_page(language: str) -> list[str]:
    """Return the words between the tags of a page of the rules, without pictures and links."""
    hidden = r"<svg.*?</svg>|<nav>.*?</nav>|<head>.*?</head>"
    text = re.sub(hidden, " ", rules_page(language), flags=re.S)
    text = re.sub("</?(em|strong)>", "", text)  # parts of words and of sentences
    return html.unescape(re.sub(r"<[^>]+>", " ", text)).split()


def words_of_pdf(content: bytes) -> list[str]:
    """Return all words of a printed file, in their order on the pages."""
    with pypdfium2.PdfDocument(content) as document:
        assert len(document) == 2, "two sheets, whatever the printer"
        texts = []
        for page in document:
            assert [round(side) for side in page.get_size()] == pytest.approx(list(A4), abs=2)
            texts.append(page.get_textpage().get_text_range())
    return " ".join(texts).replace("\ufffe", "-").split()


def is_printed_from(content: bytes, language: str) -> bool:
    """Whether every word of the page is on the printed sheets, as often as there."""
    printed, wanted = words_of_pdf(content), words_of_page(language)
    left = {word: printed.count(word) - wanted.count(word) for word in set(wanted)}
    return not [word for word, count in left.items() if count < 0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_printed_on_two_sheets(table: Table, shots: Path, language: str) -> None:
    with chromium() as browser:
        page = browser.new_context().new_page()
        page.goto(f"{table.url}rules-{language}.html")
        made = page.pdf(prefer_css_page_size=True, print_background=True)
    (shots / pdf_name(language)).write_bytes(made)
    assert is_printed_from(made, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheets_in_the_package_are_those_of_the_page(language: str) -> None:
    assert is_printed_from(rules_pdf(language), language), "`make pictures` makes them anew"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_need_no_code(table: Table, sit: Sit, shots: Path, language: str) -> None:
    person = sit(code=False, size=PHONE, language=language)
    with person.context.expect_page() as opened:
        person.page.click("#open-rules")
    page = opened.value
    page.wait_for_selector("main h1")
    assert page.evaluate("document.documentElement.lang") == language
    assert page.locator("main figure svg").count() == len(PICTURES)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE[0]
    assert look(page, "smallTargets", 44) == []
    page.screenshot(path=shots / f"rules-phone-{language}.png", full_page=True)
    page.click(f"a[hreflang={'de' if language == 'en' else 'en'}]")
    page.wait_for_selector("main h1")
    page.click("a[href='./#lights']")
    page.wait_for_selector("dialog[open] .legend li")
    answer = table.ask(f"/{pdf_name(language)}")
    assert answer.body == rules_pdf(language)
    assert answer.headers["content-type"] == "application/pdf"


def test_the_languages_say_the_same() -> None:
    one, other = (
        re.findall(r"<(\w+)|data-picture=\"(\w+)\"", rules_page(language).split("<main>")[1])
        for language in LANGUAGES
    )
    assert one == other, "the same parts with the same pictures"


def test_a_picture_shows_no_more_than_it_is_cut_to() -> None:
    for name, picture in PICTURES.items():
        drawn = draw(name)
        assert "class=" not in drawn and "<title" not in drawn and "to act" not in drawn
        assert ('viewBox="0 0' in drawn) is (picture.around == "")
        for space in picture.around.split():
            assert f">{space}</text>" in drawn, (name, space)
    assert len(draw("push")) < len(draw("start"))


def test_the_pdf_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "rules.pdf"
    for language in LANGUAGES:
        good("rulebook", "--out", out, "--language", language)
        assert out.read_bytes() == rules_pdf(language)
    assert "cannot be written" in bad("rulebook", "--out", tmp_path)
