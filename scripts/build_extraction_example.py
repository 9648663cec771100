"""Write the packaged data set of `schemaproof extraction`: made-up pages, gold, and answers with known faults.

python scripts/build_extraction_example.py [--check]

100 pages, each answered by two made-up models: `careful`, which errs seldom, and `hasty`, which errs often. The
column `fault` names what was done to the answer, so that a reader can see what each metric makes of it. Everything
is invented; the same program gives the same bytes.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "src" / "schemaproof" / "extraction" / "data" / "example.jsonl.gz"
PAGES = 100
TEXT, NUMBER, WHOLE, TRUTH = {"type": "string"}, {"type": "number"}, {"type": "integer"}, {"type": "boolean"}
LINK = {"type": "string", "format": "uri"}

Made = tuple[str, str, dict[str, Any], dict[str, Any], str]


def words(text: str) -> list[str]:
    return text.split()


FIRST = words("Ada Bruno Carla Dario Elin Farid Greta Hugo Ines Jonas Kira Levin Mona Nils Olga Piotr")
LAST = words("Amsel Brandt Castell Dorn Eklund Ferro Gruber Hollis Iversen Jansen Kowal Lindqvist Moreau Nakano")
TOWNS = words("Altberg Brookhaven Casteldoro Dunmore Elmstad Fontclair Grünau Hillford")
THINGS = words("lamp kettle backpack notebook speaker chair teapot blanket torch clock bottle scarf")
LOOKS = words("blue oak brass folding woven matte silver felt travel compact")
MONTHS = words("January February March April May June July August September October November December")
MONATE = words("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")
LINES = (
    "Made in small batches and checked by hand before it leaves the workshop.",
    "It keeps its shape after years of daily use, and spare parts are sold for ten years.",
    "Our customers like how quiet it is, and how little room it takes on the shelf.",
    "The second edition is lighter, easier to clean and comes in three colours.",
    "A plain design that does one thing well, without an app and without an account.",
)


def obj(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties) if required is None else required}


def many(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def person(rng: random.Random) -> str:
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def product(rng: random.Random) -> Made:
    name = f"{rng.choice(LOOKS).title()} {rng.choice(THINGS)} {rng.randint(2, 9)}00"
    price, stars, votes = rng.randint(900, 29900) / 100, rng.randint(30, 50) / 10, rng.randint(3, 900)
    sku, stock, about = f"{rng.randint(100, 999)}-{rng.randint(1000, 9999)}", rng.random() < 0.7, rng.choice(LINES)
    content = (
        f"# {name}\n\n{about}\n\n**Price:** ${price:,.2f}\n\n**Rating:** {stars} out of 5 ({votes} reviews)\n\n"
        f"**SKU:** {sku}\n\n{'In stock' if stock else 'Sold out'} · [Care instructions](https://shop.example/care)\n"
    )
    properties = {
        "name": TEXT, "price": NUMBER, "currency": {"type": "string", "enum": ["USD", "EUR", "GBP"]}, "rating": NUMBER,
        "review_count": WHOLE, "sku": TEXT, "in_stock": TRUTH, "description": TEXT,
    }  # fmt: skip
    gold = {
        "name": name, "price": price, "currency": "USD", "rating": stars, "review_count": votes, "sku": sku,
        "in_stock": stock, "description": about,
    }  # fmt: skip
    return "product", content, obj(properties, ["name", "price"]), gold, "Get the product's data."


def listing(rng: random.Random) -> Made:
    goods = []
    for number in rng.sample(range(100, 999), rng.randint(3, 7)):
        name = f"{rng.choice(LOOKS).title()} {rng.choice(THINGS)}"
        goods.append(
            {"name": name, "price": f"€{rng.randint(500, 9900) / 100:.2f}", "url": f"https://shop.example/p/{number}"}
        )
    town = rng.choice(TOWNS)
    lines = "\n".join(f"- [{each['name']}]({each['url']}) — {each['price']}" for each in goods)
    content = f"# Offers from {town}\n\n{len(goods)} articles this week.\n\n{lines}\n"
    item = obj({"name": TEXT, "price": TEXT, "url": LINK})
    return (
        "listing",
        content,
        obj({"store": TEXT, "items": many(item)}),
        {"store": town, "items": goods},
        "List all offers.",
    )


def event(rng: random.Random) -> Made:
    day, month, hour = rng.randint(1, 28), rng.randint(1, 12), rng.randint(9, 20)
    town, title = rng.choice(TOWNS), f"{rng.choice(LOOKS).title()} {rng.choice(('Fair', 'Night', 'Run', 'Market'))}"
    acts = [person(rng) for _ in range(rng.randint(2, 5))]
    content = (
        f"# {title}\n\nWhen: {MONTHS[month - 1]} {day}, 2026, {hour}:30\n\nWhere: Town hall, {town}\n\n"
        f"## With\n\n" + "\n".join(f"* {act}" for act in acts) + "\n\nFree entry.\n"
    )
    gold = {
        "title": title, "date": f"2026-{month:02}-{day:02}", "start_time": f"{hour}:30",
        "location": {"venue": "Town hall", "city": town}, "performers": acts, "free": True,
    }  # fmt: skip
    schema = obj(
        {
            "title": TEXT, "date": {"type": "string", "format": "date"}, "start_time": TEXT,
            "location": obj({"venue": TEXT, "city": TEXT}), "performers": many(TEXT), "free": TRUTH,
        }
    )  # fmt: skip
    return "event", content, schema, gold, "When and where is it, and who performs?"


def job(rng: random.Random) -> Made:
    low = rng.randint(28, 70) * 1000
    role = (
        f"{rng.choice(('Junior', 'Senior', 'Lead'))} {rng.choice(('baker', 'nurse', 'welder', 'analyst', 'gardener'))}"
    )
    firm, town = f"{rng.choice(LAST)} & {rng.choice(LAST)}", rng.choice(TOWNS)
    phone, mail = f"+49 30 {rng.randint(1000000, 9999999)}", f"jobs@{rng.choice(LAST).lower()}.example"
    content = (
        f"# {role}\n\n{firm}, {town}\n\nSalary: ${low:,} – ${low + 9000:,} a year\n\nRemote: "
        f"{'yes' if low % 2000 else 'no'}\n\nApply: {mail} or {phone}\n"
    )
    gold = {
        "title": role, "company": firm, "city": town, "salary": {"min": low, "max": low + 9000, "currency": "USD"},
        "remote": bool(low % 2000), "email": mail, "phone": phone,
    }  # fmt: skip
    schema = obj(
        {
            "title": TEXT, "company": TEXT, "city": TEXT,
            "salary": obj({"min": WHOLE, "max": WHOLE, "currency": TEXT}), "remote": TRUTH,
            "email": TEXT, "phone": TEXT,
        },
        ["title", "company"],
    )  # fmt: skip
    return "job", content, schema, gold, "Extract the job offer."


def rezept(rng: random.Random) -> Made:
    name = f"{rng.choice(('Kartoffel', 'Linsen', 'Kürbis', 'Möhren'))}{rng.choice(('suppe', 'auflauf', 'salat'))}"
    minutes, portions = rng.randint(3, 18) * 5, rng.randint(2, 6)
    parts = rng.sample(["Zwiebeln", "Öl", "Salz", "Petersilie", "Butter", "Mehl", "Gemüsebrühe"], 4)
    needs = [{"name": part, "amount": f"{rng.randint(1, 9) * 50} g"} for part in parts]
    day, month = rng.randint(1, 28), rng.randint(1, 12)
    content = (
        f"# {name}\n\nVeröffentlicht am {day}. {MONATE[month - 1]} 2025\n\nZubereitung: {minutes} Minuten, für "
        f"{portions} Personen\n\n| Zutat | Menge |\n|---|---|\n"
        + "\n".join(f"| {need['name']} | {need['amount']} |" for need in needs) + "\n"
    )  # fmt: skip
    gold = {
        "name": name, "published": f"2025-{month:02}-{day:02}", "minutes": minutes, "servings": portions,
        "ingredients": needs,
    }  # fmt: skip
    schema = obj(
        {
            "name": TEXT, "published": {"type": "string", "format": "date"}, "minutes": WHOLE, "servings": WHOLE,
            "ingredients": many(obj({"name": TEXT, "amount": TEXT})),
        }
    )  # fmt: skip
    return "recipe-de", content, schema, gold, "Extract the recipe."


def shop_zh(rng: random.Random) -> Made:
    town = rng.choice(("台北市", "高雄市", "台中市"))
    street = rng.choice(("中山路", "和平路", "信義路", "民生路"))
    number, price = rng.randint(1, 200), rng.randint(10, 300) * 10
    name = rng.choice(("青山", "明月", "春風")) + rng.choice(("茶館", "書店", "麵包店"))
    phone = f"02-{rng.randint(2000, 8999)}-1{number:03}"
    content = f"# {name}\n\n地址：{town}{street}{number}號\n\n電話：{phone}\n\n人均消費：NT${price}\n"
    gold = {"name": name, "address": f"{town}{street}{number}號", "phone": phone, "price": price, "city": town}
    return (
        "shop-zh",
        content,
        obj({"name": TEXT, "address": TEXT, "phone": TEXT, "price": WHOLE, "city": TEXT}),
        gold,
        "取得店家資料",
    )


def article(rng: random.Random) -> Made:
    author, day = person(rng), rng.randint(1, 28)
    title = f"Why {rng.choice(TOWNS)} keeps its {rng.choice(LOOKS)} {rng.choice(THINGS)}"
    tags = rng.sample(["travel", "craft", "design", "history", "food", "people"], 3)
    body = " ".join(rng.sample(LINES, 3))
    content = f"# {title}\n\nBy {author} — {day} {MONTHS[day % 12]} 2024\n\n{body}\n\nTopics: {', '.join(tags)}\n"
    gold = {
        "title": title, "author": author, "date": f"2024-{day % 12 + 1:02}-{day:02}", "tags": tags, "text": body,
        "paywalled": None,
    }  # fmt: skip
    schema = obj(
        {
            "title": TEXT, "author": TEXT, "date": TEXT, "tags": many(TEXT), "text": TEXT,
            "paywalled": {"anyOf": [TRUTH, {"type": "null"}]},
        },
        ["title", "author"],
    )  # fmt: skip
    return "article", content, schema, gold, "Who wrote what, and when?"


def company(rng: random.Random) -> Made:
    """A wide, deep schema, for the upper bins of complexity."""
    name, boss, town = f"{rng.choice(LAST)} Works", person(rng), rng.choice(TOWNS)
    years = list(range(2019, 2019 + rng.randint(3, 6)))
    turnover = {year: rng.randint(20, 900) / 10 for year in years}
    offices = [{"city": other, "people": rng.randint(5, 300)} for other in rng.sample(TOWNS, 3)]
    rows = "\n".join(f"| {year} | {turnover[year]} |" for year in years)
    content = (
        f"# {name}\n\n{rng.choice(LINES)}\n\nChief executive: {boss}\n\nHeadquarters: {town}\n\n"
        "## Turnover (million)\n\n"
        f"| Year | Turnover |\n|---|---|\n{rows}\n\n## Offices\n\n"
        + "\n".join(f"- {office['city']}: {office['people']} people" for office in offices) + "\n"
    )  # fmt: skip
    gold = {
        "name": name, "chief_executive": boss, "headquarters": {"city": town, "country": None},
        "turnover": [{"year": year, "million": turnover[year]} for year in years], "offices": offices,
    }  # fmt: skip
    address = obj(dict.fromkeys(words("city street postcode region country phone email"), TEXT), ["city"])
    ledger = obj({"year": WHOLE, **dict.fromkeys(words("million profit debt tax staff_cost"), NUMBER)}, ["year"])
    board = obj(
        {"name": TEXT, "role": TEXT, "since": WHOLE, "former_roles": many(obj({"role": TEXT, "until": WHOLE}, []))}, []
    )
    more = words("legal_form founded motto register vat_number website industry parent auditor")
    nullable = {key: {"anyOf": [TEXT, {"type": "null"}]} for key in ("country", "region", "county")}
    schema = obj(
        {
            "name": TEXT, "chief_executive": TEXT, "headquarters": obj({"city": TEXT, **nullable}, ["city"]),
            "turnover": many(ledger),
            "offices": many(obj({"city": TEXT, "people": WHOLE, "address": address}, ["city"])),
            "board": many(board), **dict.fromkeys(more, TEXT),
        },
        ["name"],
    )  # fmt: skip
    return "company", content, schema, gold, "Everything about the company."


KINDS = (product, listing, event, job, rezept, shop_zh, article, company)


# What goes wrong with answers. Each takes the answer and may change it; the second group changes its text.
def leaves(value: Any, kind: type) -> list[tuple[Any, Any]]:
    found, waiting = [], [value]
    while waiting:
        current = waiting.pop(0)
        for key, inner in list(current.items() if isinstance(current, dict) else enumerate(current)):
            if isinstance(inner, dict | list):
                waiting.append(inner)
            elif type(inner) is kind:
                found.append((current, key))
    return found


def rows_of(value: Any) -> list[dict[str, Any]] | None:
    lists = [inner for inner in value.values() if isinstance(inner, list) and inner and isinstance(inner[0], dict)]
    return lists[0] if lists else None


def lost_key(answer: Any, rng: random.Random) -> bool:
    answer.pop(rng.choice(sorted(answer)))
    return True


def invented_key(answer: Any, rng: random.Random) -> bool:
    answer[rng.choice(("summary", "confidence", "source_note"))] = rng.choice(LINES)
    return True


def invented_rows(answer: Any, rng: random.Random) -> bool:
    rows = rows_of(answer)
    if rows is None:
        return False
    for _ in range(rng.randint(3, 12)):
        copy = dict(rng.choice(rows))
        for key, value in copy.items():
            copy[key] = f"{value}{rng.randint(2, 9)}" if isinstance(value, str) else value
        rows.append(copy)
    return True


def lost_row(answer: Any, rng: random.Random) -> bool:
    rows = rows_of(answer)
    return rows is not None and len(rows) > 1 and bool(rows.pop(rng.randrange(len(rows))))


def scrambled_rows(answer: Any, rng: random.Random) -> bool:
    rows = rows_of(answer)
    if rows is None or len(rows) < 2:
        return False
    key = sorted(rows[0])[-1]
    values = [row.get(key) for row in rows]
    for row, value in zip(rows, values[1:] + values[:1], strict=True):
        row[key] = value
    return True


def shuffled_rows(answer: Any, rng: random.Random) -> bool:
    rows = rows_of(answer)
    if rows is None:
        return False
    rng.shuffle(rows)
    return True


def typo(answer: Any, rng: random.Random) -> bool:
    places = [(where, key) for where, key in leaves(answer, str) if len(where[key]) > 5 and where[key][:4] != "http"]
    if not places:
        return False
    where, key = rng.choice(places)
    at = rng.randrange(1, len(where[key]) - 1)
    where[key] = where[key][:at] + where[key][at + 1 :]
    return True


def wrong_number(answer: Any, rng: random.Random) -> bool:
    places = leaves(answer, float) + leaves(answer, int)
    if not places:
        return False
    where, key = rng.choice(places)
    where[key] += rng.choice((1, 10, -1))
    return True


def number_as_text(answer: Any, rng: random.Random) -> bool:
    places = leaves(answer, float) + leaves(answer, int)
    if not places:
        return False
    where, key = rng.choice(places)
    where[key] = str(where[key])
    return True


def other_date(answer: Any, rng: random.Random) -> bool:
    for where, key in leaves(answer, str):
        year, _, rest = where[key].partition("-")
        if len(year) == 4 and year.isdigit() and len(rest) == 5:
            where[key] = f"{MONTHS[int(rest[:2]) - 1]} {int(rest[3:])}, {year}"
            return True
    return False


def wrong_link(answer: Any, rng: random.Random) -> bool:
    places = [(where, key) for where, key in leaves(answer, str) if where[key].startswith("http")]
    for where, key in places[:1]:
        where[key] = where[key][:-1] + ("1" if where[key][-1] != "1" else "2")
    return bool(places)


def decomposed(answer: Any, rng: random.Random) -> bool:
    changed = False
    for where, key in leaves(answer, str):
        other = unicodedata.normalize("NFD", where[key])
        changed, where[key] = changed or other != where[key], other
    return changed


def wrong_values(answer: Any, rng: random.Random) -> bool:
    for where, key in leaves(answer, str):
        where[key] = person(rng)
    for where, key in leaves(answer, int) + leaves(answer, float):
        where[key] = rng.randint(1, 99)
    return True


VALUE_FAULTS: dict[str, Callable[[Any, random.Random], bool]] = {
    "lost-key": lost_key, "invented-key": invented_key, "invented-rows": invented_rows, "lost-row": lost_row,
    "scrambled-rows": scrambled_rows, "shuffled-rows": shuffled_rows, "typo": typo, "wrong-number": wrong_number,
    "number-as-text": number_as_text, "other-date": other_date, "wrong-link": wrong_link, "decomposed": decomposed,
    "wrong-values": wrong_values,
}  # fmt: skip


def form_fault(name: str, text: str, pretty: str) -> str | None:
    """The response with a fault of form."""
    return {
        "fence": f"```json\n{pretty}\n```",
        "prose": f"Here is what I found on the page:\n\n{text}\n\nLet me know if you need more.",
        "thinking": f"<think>\nThe page has a title {{maybe}} and a list. I copy both.\n</think>\n{text}",
        "truncated": pretty[: len(pretty) * 2 // 3],
        "trailing-comma": pretty[:-2].rstrip() + ",\n}",
        "two-answers": f"{text}\n\n{text}",
        "scalar": "42",
        "no-json": "I could not find the requested data on this page.",
        "refused": None,
    }[name]


def answers(gold: dict[str, Any], chance: float, rng: random.Random) -> tuple[str | None, list[str]]:
    """A response, and the faults that it has."""
    answer = json.loads(json.dumps(gold))
    faults: list[str] = []
    while rng.random() < chance and len(faults) < 3:
        name = rng.choice(list(VALUE_FAULTS))
        if name not in faults and VALUE_FAULTS[name](answer, rng):
            faults.append(name)
    text, pretty = json.dumps(answer, ensure_ascii=False), json.dumps(answer, ensure_ascii=False, indent=2)
    response: str | None = rng.choice((text, pretty))
    if rng.random() < chance * 0.8:
        names = (
            "fence",
            "fence",
            "fence",
            "prose",
            "prose",
            "thinking",
            "truncated",
            "trailing-comma",
            "two-answers",
            "scalar",
            "no-json",
            "refused",
        )
        name = rng.choice(names)
        response = form_fault(name, text, pretty)
        faults = [name] if name in ("scalar", "no-json", "refused") else [*faults, name]
    return response, faults or ["none"]


def rows() -> list[dict[str, Any]]:
    """All rows, page by page."""
    made = []
    for number in range(PAGES):
        rng = random.Random(f"page {number}")
        slug, content, schema, gold, prompt = KINDS[number % len(KINDS)](rng)
        name = f"{slug}-{number + 1:03}"
        for model, chance in (("careful", 0.25), ("hasty", 0.6)):
            response, faults = answers(gold, chance, random.Random(f"answer {number} {model}"))
            row = {
                "id": name, "model": model, "page": f"https://{slug}.example/{number + 1}", "prompt": prompt,
                "content": content, "schema": schema, "gold": gold, "response": response, "fault": faults,
            }  # fmt: skip
            if response is None:
                row["error"] = "the provider refused the schema"
            made.append(row)
    return made


# For the judging tasks: Schema.org statements on the same pages, right and wrong ones in equal number.
STATEMENTS = {
    "product": ("Product", {"name": "name", "sku": "sku", "price": "price", "description": "description"}),
    "event": ("Event", {"name": "title", "startDate": "date"}),
    "job": ("JobPosting", {"title": "title", "email": "email", "telephone": "phone"}),
    "recipe-de": ("Recipe", {"name": "name", "datePublished": "published", "recipeYield": "servings"}),
    "shop-zh": ("LocalBusiness", {"name": "name", "address": "address", "telephone": "phone"}),
    "article": ("Article", {"headline": "title", "author": "author", "datePublished": "date"}),
}


def judging() -> list[dict[str, Any]]:
    """Rows in the form that `schemaproof bench build` writes."""
    pages = [row for row in rows() if row["model"] == "careful"]
    made = []
    for number, page in enumerate(pages[:48]):
        slug = page["id"].rsplit("-", 1)[0]
        if slug not in STATEMENTS:
            continue
        kind, names = STATEMENTS[slug]
        others = [other for other in pages if other["id"].startswith(slug) and other is not page]
        for at, (name, key) in enumerate(names.items()):
            value = page["gold"][key]
            foreign = next(o["gold"][key] for o in others[number % len(others) :] + others if o["gold"][key] != value)
            unlike = list(names)[(at + 1) % len(names)]
            base = {"group": page["page"], "types": [kind], "property": name, "source": "made up, Apache-2.0"}
            for agent, wrong, fault in (
                ("factuality", foreign, "other-text"),
                ("compliance", page["gold"][names[unlike]], f"swap {unlike}"),
            ):
                text = page["content"] if agent == "factuality" else ""
                row = {**base, "agent": agent, "set": agent, "split": "test", "language": "", "path": "", "text": text}
                good = {"id": f"{agent}-{page['id']}-{name}-right", "value": value, "label": "positive", "kind": ""}
                bad = {"id": f"{agent}-{page['id']}-{name}-wrong", "value": wrong, "label": "negative", "kind": fault}
                made += [{**row, **good}, {**row, **bad}]
    return made


def lines(made: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made).encode()


def data() -> bytes:
    """The data set as JSON Lines."""
    return lines(rows())


def main() -> int:
    """Write the data set, or with --check only compare; exit status 1 when it is out of date."""
    status = 0
    for target, content in ((TARGET, data()), (TARGET.with_name("judging.jsonl.gz"), lines(judging()))):
        if "--check" in sys.argv[1:]:
            status |= not target.is_file() or gzip.decompress(target.read_bytes()) != content
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(gzip.compress(content, 9, mtime=0))
    return status


if __name__ == "__main__":
    sys.exit(main())
