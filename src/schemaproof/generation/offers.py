"""Offers, ratings and reviews of what a page is about."""

from __future__ import annotations

import re

from schemaproof.agents.grounding.folding import fold
from schemaproof.generation import facts
from schemaproof.generation.draft import Draft, span
from schemaproof.generation.entities import people
from schemaproof.generation.keys import level
from schemaproof.generation.members import member, mentioned
from schemaproof.generation.outline import Line
from schemaproof.generation.reading import Reading

_AVAILABILITY = ("InStock", "OutOfStock", "PreOrder", "BackOrder", "LimitedAvailability", "Discontinued")
_CONDITIONS = ("UsedCondition", "RefurbishedCondition")
# Amounts that are no price of the thing itself.
_OTHER_AMOUNTS = re.compile(
    r"shipping|delivery|versand|liefer|livraison|envio|spedizione|verzend|frete|free over|off\b|save|spar|"
    r"rabatt|discount|remise|"
    r"descuento|sconto|korting|coupon|gutschein|month|monat|mois|per day|/mo|installment|rate von|x sans|cuotas|"
    r"deposit|"
    r"доставк|kargo|送料|运费|배송|wysylk|dostaw|points|from:|basket|cart\b.*total|warenkorb|panier|carrito|minimum|"
    r"mindest|review|"
    r"\bwas\b|statt|uvp|rrp|msrp|au lieu|antes|before|list price|old price"
)
_BUY = re.compile(
    r"^(?:add to (?:cart|basket|bag|trolley)|buy(?: it)? now|in den warenkorb|in den einkaufswagen|jetzt kaufen|"
    r"ajouter au panier|"
    r"anadir al carrito|agregar al carrito|comprar(?: ahora)?|aggiungi al carrello|acquista|in winkelwagen|"
    r"in winkelmand|"
    r"toevoegen aan winkelwagen|bestellen|adicionar ao carrinho|カートに入れる|買い物かごに入れる|"
    r"اضف الى السله|اضف للسله|"
    r"в корзину|добавить в корзину|do koszyka|dodaj do koszyka|sepete ekle|加入购物车|立即购买|lagg i varukorg(?:en)?|"
    r"laeg i kurv|"
    r"do kosiku|vlozit do kosiku|в кошик|купити|купить|장바구니)$"
)
_NEAR = 45


def write_offers(reading: Reading, draft: Draft) -> None:
    """Write the offer of the page's thing, or several where the page names several prices by label."""
    if not draft.allows("offers") or "offers" in draft:
        return
    address = reading.address[0] if reading.address else ""
    listed = _price_list(reading, address)
    if len(listed) > 1 and not draft.is_a("Product"):
        for label, label_span, price in listed:
            node = draft.new("Offer")
            node.add("name", label, span(reading.page, *label_span))
            _price(reading, node, price[0], price[1])
            draft.add("offers", node)
        return
    found = _labelled_price(reading, address) or _first_price(reading, draft, address)
    node = draft.new("AggregateOffer" if found is not None and found[0].high is not None else "Offer")
    if found is not None:
        _price(reading, node, found[0], found[1])
    if draft.is_a("Product", "Book", "MusicAlbum", "Course", "Event", "SoftwareApplication", "Vehicle"):
        _availability(reading, node, priced=found is not None)
    if not node:
        return
    if found is not None:
        _condition(reading, node)
        for pair in reading.labelled("SELLER"):
            if people(reading, node, "seller", pair.value, pair.start):
                break
        if reading.address is not None:
            node.add("url", *reading.address)
    draft.add("offers", node)


def _price(reading: Reading, node: Draft, price: facts.Price, base: int) -> None:
    if price.high is not None and node.is_a("AggregateOffer"):
        node.add("lowPrice", price.amount.value, span(reading.page, base + price.amount.start, base + price.amount.end))
        node.add("highPrice", price.high.value, span(reading.page, base + price.high.start, base + price.high.end))
    else:
        node.add("price", price.amount.value, span(reading.page, base + price.amount.start, base + price.amount.end))
    if price.currency:
        node.add("priceCurrency", price.currency, span(reading.page, base + price.start, base + price.end))


def _price_list(reading: Reading, address: str) -> list[tuple[str, tuple[int, int], tuple[facts.Price, int]]]:
    """Pairs whose label names no property and whose value is nothing but a price ("Concessions: 15 €")."""
    found = []
    for pair in reading.pairs:
        if pair.names or not pair.strong or len(pair.value) > 30 or len(pair.label) > 50:
            continue
        prices = facts.prices(pair.value, reading.language, address)
        if len(prices) == 1 and prices[0].high is None and len(pair.value) - (prices[0].end - prices[0].start) <= 6:
            start = reading.page.text.rfind(pair.label, max(0, pair.start - 120), pair.start)
            if start >= 0:
                found.append((pair.label, (start, start + len(pair.label)), (prices[0], pair.start)))
    return found[:12]


def _labelled_price(reading: Reading, address: str) -> tuple[facts.Price, int] | None:
    for pair in reading.labelled("PRICE"):
        prices = facts.prices(pair.value, reading.language, address)
        if prices and len(pair.value) <= 120 and len(prices) <= 2:
            return _of_two(prices), pair.start
    return None


def _value(price: facts.Price) -> float:
    return float(price.amount.value)


def _of_two(prices: list[facts.Price]) -> facts.Price:
    """Of an old and a new price, the new: the lower of two in one currency."""
    if len(prices) == 2 and prices[0].currency == prices[1].currency:
        return min(prices, key=_value)
    return prices[0]


def _first_price(reading: Reading, draft: Draft, address: str) -> tuple[facts.Price, int] | None:
    """The first price below the main heading; only for things that are sold by the piece."""
    if not draft.is_a("Product", "Book", "MusicAlbum", "SoftwareApplication", "Vehicle"):
        return None
    candidates: list[tuple[facts.Price, Line]] = []
    for line in reading.outline.body[:_NEAR]:
        if line.rank and candidates:
            break
        if len(line.text) > 140:
            continue
        prices = facts.prices(line.text, reading.language, address)
        if prices and prices[0].currency and not _OTHER_AMOUNTS.search(fold(line.text).text):
            candidates.append((_of_two(prices), line))
            if len(candidates) == 2:
                break
    if not candidates:
        return None
    first = candidates[0]
    if len(candidates) == 2 and candidates[1][1].number - first[1].number <= 2:
        second = candidates[1]
        if second[0].currency == first[0].currency and _value(second[0]) < _value(first[0]):
            first = second
    return first[0], first[1].start


def _availability(reading: Reading, node: Draft, *, priced: bool) -> None:
    for pair in reading.labelled("AVAILABILITY"):
        chosen = member(reading.vocabulary, ("ItemAvailability",), pair.value)
        if not chosen and len(pair.value) < 80:
            name = mentioned(level(pair.value), _AVAILABILITY)
            chosen = reading.vocabulary.iri(name) if name else ""
        if chosen:
            node.add("availability", chosen, span(reading.page, pair.start, pair.end))
            return
    if not priced:
        return
    for line in reading.outline.own[: _NEAR + 10]:
        if len(line.text) > 90 or line.rank:
            continue
        key = level(line.text)
        name = mentioned(key, ("OutOfStock", "PreOrder", "BackOrder", "InStock", "LimitedAvailability", "Discontinued"))
        if name in ("InStock", "OutOfStock") and not _about_stock(key, name):
            name = ""
        if name:
            node.add("availability", reading.vocabulary.iri(name), line.evidence)
            return
    buy = buy_line(reading)
    if buy is not None:
        node.add("availability", reading.vocabulary.iri("InStock"), buy.evidence)


def buy_line(reading: Reading) -> Line | None:
    """The button or link that puts the page's thing into the basket, or None."""
    lines = (*reading.outline.own[: _NEAR + 10], *(line for line in reading.outline.lines if line.region == "form"))
    return next(
        (line for line in lines if len(line.text) < 40 and _BUY.match(fold(line.text).text.strip(" .!+"))), None
    )


_STOCK = re.compile(
    r"stock|lager|lieferbar|vorratig|voorraad|наличи|stok|在庫|有货|现货|magaz|skladem|estoque|المخزون|متوفر|sold out|"
    r"ausverkauft|"
    r"agotado|epuise|esaurito|uitverkocht|esgotado|售罄|売り切れ|tukendi|наявност|재고|disponible|disponibile|"
    r"disponivel|available"
)


def _about_stock(key: str, name: str) -> bool:
    """Whether a line that has a word for being available is about the thing's stock, not about colours or sizes."""
    return len(key) <= 60 and bool(_STOCK.search(key) or _STOCK.search(key.replace(" ", "")))


def _condition(reading: Reading, node: Draft) -> None:
    for pair in reading.labelled("CONDITION"):
        chosen = member(reading.vocabulary, ("OfferItemCondition",), pair.value)
        if chosen:
            node.add("itemCondition", chosen, span(reading.page, pair.start, pair.end))
            return


# Ratings

_RATED = ("Product", "CreativeWork", "Organization", "Place", "Service", "Event", "Brand", "Offer")


def write_rating(reading: Reading, draft: Draft) -> None:
    """Write the average rating with its scale and how many gave it."""
    if not draft.allows("aggregateRating") or draft.is_a("WebPage", "WebSite") or "aggregateRating" in draft:
        return
    lines = [
        line
        for line in (*reading.outline.body[:60], *reading.outline.before)
        if len(line.text) <= 160 and not line.rank
    ]
    for at, line in enumerate(lines):
        rating = facts.rating_in(line.text, stars=True)
        if rating is None:
            continue
        count, reviews, base = rating.count, rating.reviews, line.start
        if count is None and at + 1 < len(lines) and lines[at + 1].number <= line.number + 2:
            count, reviews = facts.counted(lines[at + 1].text)
            base = lines[at + 1].start
        if count is None and at > 0 and lines[at - 1].number >= line.number - 1:
            count, reviews = facts.counted(lines[at - 1].text)
            base = lines[at - 1].start
        if count is None:
            continue
        node = draft.new("AggregateRating")
        node.add(
            "ratingValue",
            rating.value.value,
            span(reading.page, line.start + rating.value.start, line.start + rating.value.end),
        )
        if rating.best is not None:
            node.add(
                "bestRating",
                rating.best.value,
                span(reading.page, line.start + rating.best.start, line.start + rating.best.end),
            )
        name = "reviewCount" if reviews else "ratingCount"
        node.add(name, count.value, span(reading.page, base + count.start, base + count.end))
        draft.add("aggregateRating", node)
        return
