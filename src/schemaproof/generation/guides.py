"""Recipes, instructions, and questions with their answers."""

from __future__ import annotations

import re

from schemaproof.generation import facts
from schemaproof.generation.draft import Draft, span
from schemaproof.generation.keys import level
from schemaproof.generation.outline import Line, Section, without_enumeration
from schemaproof.generation.reading import Reading
from schemaproof.generation.typed import fill

_MOST = 60
_QUESTION = re.compile(r"[?？؟;]\s*$")
_STEP_LABEL = re.compile(
    r"^(?:step|schritt|étape|etape|paso|passo|stap|шаг|krok|adım|خطوة|steg|trin|手順|步骤|단계)\s*\d{1,2}\s*[:.)]?\s*$",
    re.I,
)


def _items(section: Section) -> list[Line]:
    """The items of the lists of a section; where it has none, its lines as far as they are short."""
    items = [line for line in section.lines if line.tag == "li"]
    if items:
        return items
    cells = [line for line in section.lines if line.tag in ("td", "dd", "dt", "th")]
    if cells:
        return _rows(cells)
    return list(section.lines)


def _rows(cells: list[Line]) -> list[Line]:
    """The first cell of every row that has only one; rows of several cells are left to the labels."""
    rows: dict[tuple[int, int], list[Line]] = {}
    for cell in cells:
        rows.setdefault((cell.group, cell.row), []).append(cell)
    return [row[0] for row in rows.values() if len(row) == 1]


def _sections(reading: Reading, meaning: str) -> list[Section]:
    """The sections whose heading has this meaning, each with what stands under deeper headings."""
    outline = reading.outline
    found: list[Section] = []
    for at, section in enumerate(outline.sections):
        if section.heading is None:
            continue
        names = outline.lexicon.names(section.key)
        if not names and len(section.key) < 60:
            names = outline.lexicon.starting(section.key)
        if meaning in names:
            found.append(section)
            found.extend(part for part in outline.subsections(at) if not outline.lexicon.is_heading(part.key))
    return found


def write_recipe(reading: Reading, draft: Draft) -> None:
    """Write ingredients, steps and nutrition of a recipe."""
    if draft.allows("recipeIngredient"):
        for section in _sections(reading, "INGREDIENTS"):
            for line in _items(section)[:_MOST]:
                start, end, text = _without_bullet(line)
                if 1 < len(text) <= 160 and any(character.isalpha() for character in text):
                    draft.add("recipeIngredient", text, span(reading.page, start, end))
        for section in _sections(reading, "INSTRUCTIONS"):
            _steps(reading, draft, "recipeInstructions", section, titled=False)
    nutrition(reading, draft)


_BULLET = re.compile(r"^[\s•·▢☐□\-–*✓✔◦▪●○]+")


def _without_bullet(line: Line) -> tuple[int, int, str]:
    match = _BULLET.match(line.text)
    cut = match.end() if match and match.end() < len(line.text) else 0
    return line.start + cut, line.end, line.text[cut:]


def _steps(reading: Reading, draft: Draft, name: str, section: Section, *, titled: bool) -> None:
    """Write each item of a section as a step."""
    items = _items(section)
    listed = [line for line in items if line.tag == "li"]
    for line in (listed or [line for line in items if len(line.text) > 15])[:_MOST]:
        if _STEP_LABEL.match(line.text):
            continue
        start, end, text = without_enumeration(line)
        if len(text) < 8:
            continue
        step = draft.new("HowToStep")
        step.add("text", text, span(reading.page, start, end))
        draft.add(name, step)


_NUTRIENTS = (
    "calories", "servingSize", "proteinContent", "fatContent", "saturatedFatContent", "carbohydrateContent",
    "sugarContent", "fiberContent", "sodiumContent", "cholesterolContent",
)  # fmt: skip


def nutrition(reading: Reading, draft: Draft) -> None:
    """Write the nutrients that stand at labels of their own."""
    if not draft.allows("nutrition"):
        return
    node = draft.new("NutritionInformation")
    for name in _NUTRIENTS:
        for pair in reading.labelled(name):
            if fill(reading, node, name, pair.start, pair.end):
                break
    if "calories" in node or len([name for name in _NUTRIENTS if name in node]) >= 2:
        draft.add("nutrition", node)


def write_instructions(reading: Reading, draft: Draft) -> None:
    """Write tools, supplies and steps of instructions."""
    for meaning, name, kind in (("SUPPLIES", "supply", "HowToSupply"), ("TOOLS", "tool", "HowToTool")):
        for section in _sections(reading, meaning):
            for line in _items(section)[:_MOST]:
                start, end, text = _without_bullet(line)
                if 1 < len(text) <= 120:
                    draft.add(name, draft.named(kind, text, span(reading.page, start, end)))
    outline = reading.outline
    for at, section in enumerate(outline.sections):
        if section.heading is None or "INSTRUCTIONS" not in outline.lexicon.starting(section.key):
            continue
        parts = [part for part in outline.subsections(at) if part.lines and part.rank]
        if len(parts) > 1:
            for part in parts[:_MOST]:
                _titled_step(reading, draft, part)
        else:
            _steps(reading, draft, "step", section, titled=True)
    if "step" not in draft:
        _numbered_steps(reading, draft)


def _titled_step(reading: Reading, draft: Draft, part: Section) -> None:
    if part.heading is None:
        return
    step = draft.new("HowToStep")
    start, end, text = without_enumeration(part.heading)
    step.add("name", text, span(reading.page, start, end))
    prose = [line for line in part.lines if len(line.text) > 15]
    if prose:
        step.add("text", prose[0].text, prose[0].evidence)
    draft.add("step", step)


_NUMBERED = re.compile(
    r"^\s*(?:(?:step|schritt|étape|paso|passo|stap|шаг|krok|adım|الخطوة|手順|步骤)\s*)?(\d{1,2})\s*[.):：]?\s", re.I
)


def _numbered_steps(reading: Reading, draft: Draft) -> None:
    """Headings that are numbered from 1 on are steps."""
    numbered: list[Section] = []
    for section in reading.outline.sections:
        match = _NUMBERED.match(section.heading.text) if section.heading is not None else None
        if match and int(match[1]) == len(numbered) + 1:
            numbered.append(section)
    if len(numbered) >= 2:
        for section in numbered:
            _titled_step(reading, draft, section)


# Questions and answers


def write_questions(reading: Reading, draft: Draft) -> None:
    """Write the questions of the page with their answers: a heading or a short line that asks, and what follows it."""
    lines = reading.outline.body
    asked: list[tuple[Line, list[Line]]] = []
    for line in lines:
        if _asks(reading, line):
            asked.append((line, []))
        elif asked:
            question, answer = asked[-1]
            if line.rank and (not question.rank or line.rank <= question.rank or not answer):
                asked.append((line, []))  # a heading that asks nothing ends the answer
                continue
            answer.append(line)
    for question, answer in asked:
        if not _asks(reading, question) or not answer:
            continue
        kept = _answer(question, answer)
        if not kept:
            continue
        start, end = kept[0].start, kept[-1].end
        if end - start > 4000:
            continue
        node = draft.new("Question")
        first, last, text = without_enumeration(question)
        node.add("name", text, span(reading.page, first, last))
        given = draft.new("Answer")
        given.add("text", reading.page.text[start:end], span(reading.page, start, end))
        node.add("acceptedAnswer", given)
        draft.add("mainEntity", node)


def _asks(reading: Reading, line: Line) -> bool:
    return len(line.text) <= 200 and line.text.rstrip().endswith(("?", "？", "؟")) and level(line.text).count(" ") >= 1


def _answer(question: Line, lines: list[Line]) -> list[Line]:
    """The lines of an answer: those of a question in a definition list stay in its list, else a few paragraphs."""
    if question.tag == "dt":
        return [line for line in lines if line.tag != "dt" and line.group == question.group] or lines[:1]
    kept: list[Line] = []
    for line in lines[:12]:
        if kept and not question.rank and line.depth < question.depth - 1:
            break
        kept.append(line)
    return kept


def total_time(reading: Reading, draft: Draft) -> None:
    """Write a time that a line states in words, where no label did."""
    if "totalTime" in draft or not draft.allows("totalTime"):
        return
    for pair in reading.labelled("totalTime"):
        found = facts.durations(pair.value)
        if found:
            draft.add(
                "totalTime", found[0].value, span(reading.page, pair.start + found[0].start, pair.start + found[0].end)
            )
            return
