"""Members of enumerations by the words that pages print for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from schemaproof.generation.keys import level
from schemaproof.vocabulary import Vocabulary
from schemaproof.vocabulary.model import SCHEMA_ORG

# Member → phrases, any language; levelled when read.
_WORDS = {
    "InStock": "in stock|available|available now|available online|ready to ship|auf lager|lieferbar|sofort lieferbar|verfügbar|"
    "vorrätig|en stock|disponible|en existencia|disponibile|in magazzino|op voorraad|leverbaar|em estoque|disponível|"
    "em stock|в наличии|есть в наличии|dostępny|dostępne|w magazynie|stokta|stokta var|mevcut|有货|现货|在庫あり|在庫有り|"
    "متوفر|متاح|متوفر في المخزون|i lager|på lager|skladem|в наявності|є в наявності|재고 있음|дostępny|in stock online|"
    "disponible en stock|produit en stock|in voorraad|på lager nu|dostępna",
    "OutOfStock": "out of stock|sold out|unavailable|currently unavailable|temporarily out of stock|nicht auf lager|ausverkauft|"
    "nicht verfügbar|nicht lieferbar|vergriffen|épuisé|rupture de stock|en rupture de stock|indisponible|agotado|sin stock|"
    "no disponible|esaurito|non disponibile|uitverkocht|niet op voorraad|niet leverbaar|esgotado|indisponível|fora de estoque|"
    "нет в наличии|распродано|niedostępny|brak w magazynie|tükendi|stokta yok|缺货|售罄|在庫なし|在庫切れ|売り切れ|品切れ|"
    "غير متوفر|نفدت الكمية|slutsåld|slut i lager|udsolgt|vyprodáno|není skladem|немає в наявності|품절",
    "PreOrder": "pre order|preorder|available for pre order|vorbestellbar|vorbestellen|jetzt vorbestellen|précommande|en précommande|"
    "preventa|reserva|preordine|pre bestelling|pré venda|предзаказ|przedsprzedaż|ön sipariş|预售|予約受付中|予約販売|"
    "طلب مسبق|förbeställ|forudbestil|předobjednávka",
    "BackOrder": "backorder|on backorder|available on backorder|nachbestellt|sur commande|bajo pedido|su ordinazione|na bestelling|"
    "sob encomenda|под заказ|na zamówienie|お取り寄せ",
    "Discontinued": "discontinued|no longer available|nicht mehr lieferbar|eingestellt|plus disponible|discontinué|descatalogado|"
    "fuori produzione|uit assortiment|снят с производства|生産終了|販売終了",
    "LimitedAvailability": "limited availability|only a few left|few left|low stock|limited stock|nur noch wenige|wenige plätze frei|"
    "nur noch wenige plätze frei|nur noch wenige verfügbar|plus que quelques exemplaires|quantités limitées|últimas unidades|"
    "ultimi pezzi|laatste stuks|残りわずか|осталось мало|ostatnie sztuki|son birkaç",
    "NewCondition": "new|brand new|neu|neuware|neuf|neuve|nuevo|nueva|nuovo|nuova|nieuw|novo|nova|新品|新品未使用|новый|новое|nowy|nowe|"
    "yeni|sıfır|全新|جديد|ny|nytt|nový|새상품",
    "UsedCondition": "used|pre owned|second hand|gebraucht|occasion|d'occasion|usado|usada|segunda mano|usato|usata|tweedehands|gebruikt|"
    "中古|中古品|б у|подержанный|używany|używane|ikinci el|kullanılmış|二手|مستعمل|begagnad|brugt|použité|중고",
    "RefurbishedCondition": "refurbished|renewed|reconditioned|generalüberholt|reconditionné|reacondicionado|ricondizionato|"
    "recondicionado|восстановленный|odnowiony|yenilenmiş|翻新|再生品|مجدد",
    "DamagedCondition": "damaged|beschädigt|endommagé|dañado|danneggiato|beschadigd",
    "Hardcover": "hardcover|hardback|hardbound|gebunden|gebundene ausgabe|relié|broché relié|tapa dura|cartoné|copertina rigida|rilegato|"
    "gebonden|capa dura|ハードカバー|単行本|твердый переплет|твердая обложка|twarda|oprawa twarda|ciltli|精装|غلاف مقوى|"
    "inbunden|indbundet|vázaná|тверда",
    "Paperback": "paperback|softcover|taschenbuch|broschiert|kartoniert|broché|poche|livre de poche|tapa blanda|rústica|bolsillo|"
    "brossura|copertina flessibile|capa mole|brochura|文庫|ペーパーバック|мягкий переплет|мягкая обложка|miękka|"
    "oprawa miękka|karton kapak|ince kapak|平装|غلاف ورقي|häftad|pocket|paperbackbok|brožovaná|м'яка",
    "EBook": "ebook|e book|kindle|kindle edition|epub|electronic book|livre numérique|libro electrónico|電子書籍|электронная книга|"
    "e kitap|电子书|كتاب إلكتروني",
    "AudiobookFormat": "audiobook|audio book|hörbuch|livre audio|audiolibro|luisterboek|オーディオブック|аудиокнига|sesli kitap|有声书|"
    "كتاب صوتي|ljudbok|lydbog",
    "EventScheduled": "scheduled",
    "EventCancelled": "cancelled|canceled|event cancelled|abgesagt|annulé|annulée|cancelado|cancelada|annullato|annullata|geannuleerd|"
    "afgelast|中止|отменено|отменен|отменён|odwołane|odwołany|iptal|iptal edildi|取消|已取消|ملغى|ألغيت|inställt|aflyst|zrušeno|"
    "скасовано|취소",
    "EventPostponed": "postponed|verschoben|reporté|reportée|aplazado|pospuesto|rinviato|uitgesteld|verplaatst|adiado|延期|перенесено|"
    "przełożone|ertelendi|مؤجل|uppskjutet|udskudt|odloženo",
    "EventRescheduled": "rescheduled|new date|neuer termin|nouvelle date|reprogramado|nuova data|nieuwe datum",
    "EventMovedOnline": "moved online",
    "OnlineEventAttendanceMode": "online|online event|virtual|virtual event|webinar|livestream|en ligne|en línea|en linea|オンライン|"
    "オンライン開催|онлайн|çevrimiçi|线上|عبر الإنترنت|zoom",
    "OfflineEventAttendanceMode": "in person|on site|onsite|präsenz|vor ort|präsenzveranstaltung|en présentiel|sur place|presencial|in presenza|"
    "op locatie|対面|会場開催|очно|stacjonarnie|yüz yüze|线下|حضوري",
    "MixedEventAttendanceMode": "hybrid|online and in person|hybride|híbrido|ibrido|ハイブリッド|混合",
    "SinglePlayer": "single player|singleplayer|einzelspieler|un joueur",
    "MultiPlayer": "multiplayer|multi player|mehrspieler|multijoueur",
    "Male": "male|man|männlich|homme|hombre|masculino|maschio|uomo|man|masculin|男|男性|мужской|mężczyzna|erkek|ذكر",
    "Female": "female|woman|weiblich|femme|mujer|femenino|femmina|donna|vrouw|feminino|女|女性|женский|kobieta|kadın|أنثى",
    "AlbumRelease": "album", "SingleRelease": "single", "EPRelease": "ep",
    "CompilationAlbum": "compilation", "LiveAlbum": "live", "StudioAlbum": "studio album", "SoundtrackAlbum": "soundtrack",
}  # fmt: skip

_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=1)
def _by_phrase() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, phrases in _WORDS.items():
        for phrase in phrases.split("|"):
            key = level(phrase)
            found[key] = (*found.get(key, ()), name)
    return found


@lru_cache(maxsize=64)
def _of_enumeration(vocabulary: Vocabulary, enumeration: str) -> dict[str, str]:
    """Phrase → member, from the names of the members themselves."""
    found: dict[str, str] = {}
    for name in vocabulary.members(enumeration):
        found.setdefault(" ".join(word.lower() for word in _CAMEL.findall(name)), name)
    return found


def member(vocabulary: Vocabulary, enumerations: Iterable[str], text: str, language: str) -> str:
    """The IRI of the member that a printed text means, or "".

    Arguments:
        vocabulary: whose members.
        enumerations: the enumerations that the property takes.
        text: as printed; the whole of it must mean the member.
        language: of the page (reserved for words that mean different members in two languages).
    """
    if len(text) > 60:
        return ""
    key = level(text)
    if not key:
        return ""
    allowed = list(enumerations)
    for name in _by_phrase().get(key, ()):
        if any(vocabulary.is_a(own, each) for own in vocabulary.member_types(name) for each in allowed):
            return SCHEMA_ORG + name if vocabulary.iri(name).startswith(SCHEMA_ORG) else vocabulary.iri(name)
    for each in allowed:
        named = _of_enumeration(vocabulary, each).get(key)
        if named:
            return vocabulary.iri(named)
    return ""


@lru_cache(maxsize=8)
def _phrases_of(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    listed = [(level(phrase), name) for name in names for phrase in _WORDS[name].split("|")]
    listed.sort(key=lambda each: -len(each[0]))
    return tuple(listed)


def mentioned(key: str, names: tuple[str, ...]) -> str:
    """Which of these members a levelled line mentions, longest phrase first; "" for none.

    Arguments:
        key: a levelled line.
        names: members that have words here.
    """
    padded = f" {key} "
    for phrase, name in _phrases_of(names):
        if f" {phrase} " in padded:
            return name
    return ""
