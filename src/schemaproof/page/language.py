"""The language of a text, offline: the script first, then letters and frequent words of each language.

The lists of words and letters are our own: function words that prose of any subject is full of. A word that several
languages share counts for each, by the share. Accuracy is measured in tests/page/test_language.py.
"""

from __future__ import annotations

import re
from collections import Counter

SAMPLE_CHARS = 4000
"""How much of a text is looked at: its beginning and a stretch of its middle, half each; half as much
where the page says its language."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")

_SCRIPTS = {
    "ko": re.compile("[\uac00-\ud7a3\u1100-\u11ff]"),
    "ja": re.compile("[\u3041-\u30fa]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
    "Cyrl": re.compile("[\u0400-\u04ff]"),
    "Arab": re.compile("[\u0620-\u06ff]"),
    "Deva": re.compile("[\u0900-\u097f]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "he": re.compile("[\u05d0-\u05ea]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "hy": re.compile("[\u0530-\u058f]"),
    "ka": re.compile("[\u10a0-\u10ff]"),
    "bn": re.compile("[\u0980-\u09ff]"),
    "pa": re.compile("[\u0a00-\u0a7f]"),
    "gu": re.compile("[\u0a80-\u0aff]"),
    "ta": re.compile("[\u0b80-\u0bff]"),
    "te": re.compile("[\u0c00-\u0c7f]"),
    "kn": re.compile("[\u0c80-\u0cff]"),
    "ml": re.compile("[\u0d00-\u0d7f]"),
    "si": re.compile("[\u0d80-\u0dff]"),
    "lo": re.compile("[\u0e80-\u0eff]"),
    "my": re.compile("[\u1000-\u109f]"),
    "km": re.compile("[\u1780-\u17ff]"),
    "am": re.compile("[\u1200-\u137f]"),
}
_NOT_LATIN = re.compile("[\u0370-\u1dff\u1f00-\u1fff\u3041-\u30fa\u4e00-\u9fff\uac00-\ud7a3]")

_WORDS = {
    # Latin
    "en": "the of and to in is for on that with as are this be by from at or you your it was have has not we our "
          "can will an all more about their they which when if new how what who but been its there out up",
    "de": "der die und das den von zu mit ist im für auf des dem ein eine nicht sich auch es an werden aus er sie "
          "nach bei wird oder einer einen sind wir uns unsere ihr ihre über wie zum zur als haben hat kann bis mehr",
    "fr": "le la les de des du et un une est en pour que dans sur qui par avec au aux plus pas ce cette ces nous vous "
          "votre notre sont se il elle ou mais été être à son sa ses d'un d'une leur tout comme",
    "es": "el la los las de del y en un una que es por con para se su al lo como más no sus pero este esta son ha "
          "nuestro nuestra también desde hasta sobre muy o si está todo todos entre cuando hay",
    "it": "il lo la i gli le di del della dei delle e un una che è per con non si nel nella al alla da dal sono come "
          "più anche ma questo questa su tra ogni essere ha sul dalla ai degli nostri nostro",
    "pt": "o a os as de do da dos das e em um uma que é para com não por no na nos nas se ao mais como mas sua seu "
          "são foi ou também pelo pela você nosso nossa está muito até isso este esta",
    "nl": "de het een en van in is op te dat voor met zijn aan niet er ook als bij om maar naar door over uit worden "
          "deze wordt of kan hebben heeft je wij ons onze meer dit tot hun uw geen",
    "sv": "och att det i en som är av för på med den till inte har de ett om så var från vi kan du eller men sig "
          "din vår våra ska när hos alla finns mer också detta efter",
    "da": "og at det i en er af for på med den til ikke har de et om så var fra vi kan du eller men sig din vores "
          "skal når hos alle findes mere også dette efter som blev være bliver hvor jeg",
    "no": "og at det i en er av for på med den til ikke har de et om så var fra vi kan du eller men seg din vår våre "
          "skal når hos alle finnes mer også dette etter som ble være blir hvor jeg",
    "fi": "ja on ei se että oli hän mutta ovat kun myös tai niin voi sekä jos olla kuin mukaan joka sen tämä ole "
          "kanssa jotka vain ovat mitä sinun meidän ole enemmän kaikki",
    "pl": "i w na z do się nie jest że to o jak za od po co przez dla oraz ale są przy tym czy lub może który która "
          "które ich jego być tak jej nasze wszystkie także więcej bardzo",
    "cs": "a v na je se že s z do o to k i jako za pro si od po jsou ale byl jsme které který nebo jen však své při "
          "tak může má také více není vám naše ve ze podle bude",
    "sk": "a v na je sa že s z do o to k aj ako za pre si od po sú ale bol sme ktoré ktorý alebo len však svoje pri "
          "tak môže má tiež viac nie vám naše vo zo podľa bude",
    "hu": "a az és hogy nem is egy van meg de ha csak már el mint vagy volt ez azt ki még kell fel lehet minden "
          "nagyon be után több amely illetve által szerint",
    "ro": "și de la în a cu pe un o este nu că din pentru mai care sau se au fost sunt ca prin lui ale al după dar "
          "această acest fi să le unei unui noastre toate foarte",
    "tr": "ve bir bu için ile de da olarak daha en çok olan gibi ne kadar sonra ya var değil her ancak veya göre ise "
          "tarafından üzere olduğu yeni oldu ürün sizin tüm",
    "id": "yang dan di dengan untuk dari ini dalam pada tidak itu adalah akan juga ke oleh atau dapat kami anda lebih "
          "karena bisa sebagai ada telah tersebut saya sudah kita seperti",
    "ms": "yang dan di dengan untuk dari ini dalam pada tidak itu adalah akan juga ke oleh atau boleh kami anda lebih "
          "kerana sebagai ada telah tersebut saya sudah kita seperti ialah bagi",
    "vi": "và của là có cho các không được một với những trong người này khi để đã từ đến về cũng như tại bạn nhiều "
          "sẽ ra hoặc thì phải vào trên",
    "hr": "i je u na se da za su od s što kao ili ne sa koji koja koje iz o biti može po ali do nije smo bi samo "
          "kako već također više te prema svi",
    "sl": "in je v na se da za so od s kot ali ne ki z o biti lahko po pa do ni smo bi tudi samo kako že več pri "
          "vse ter ste",
    "et": "ja on ei et see oli ka kui aga või ta mis oma nii siis välja kes ning olla selle meie teie kõik väga "
          "saab pärast rohkem",
    "lv": "un ir ar no uz par kas ka arī tas tā kā vai pie lai bet pēc var ne nav tiek šo kuri gan mūsu visi",
    "lt": "ir yra su iš į kad tai kaip bet ne už apie dėl arba taip po jau tik nuo prie gali buvo jų mūsų visi labai",
    "ca": "el la els les de del i en un una que és per amb no es al dels com més són però aquest aquesta també des "
          "fins molt o si seva seu ha hi",
    "gl": "o a os as de do da e en un unha que é para con non por no na se ao máis como pero súa seu son foi ou "
          "tamén polo pola está moi ata este esta",
    "eu": "eta da ez bat du dira dute ere izan zen baina egin den hau edo bere beste dago behar ditu egun gure",
    "is": "og að í á er sem til það við um en ekki af með fyrir var hann eru þá frá eða svo því upp þetta hefur",
    "af": "die en van 'n in is het dit vir op met wat nie te aan om ons jou sy hulle word deur kan maar ook as",
    "sq": "dhe në të e një për me nga është që i nuk se si ka do më por kjo ky janë u ose kanë edhe",
    "tl": "ang ng sa na at mga ay para si ito hindi kung may ni nang siya ka ko mo rin lang ako niya",
    "sw": "ya na wa kwa ni katika la za hii kuwa au pia cha yake hiyo kama huo wake hayo kutoka baada watu",
    # Cyrillic
    "ru": "и в не на что с по для это как от из к а но за у все или так его то при вы мы если также был была быть "
          "только можно до после который они есть",
    "uk": "і в не на що з та для це як від до у за але або його при ви ми якщо також був була бути тільки можна "
          "після який вони є про",
    "be": "і ў не на што з для гэта як ад да у за але або яго пры вы мы калі таксама быў была быць толькі можна пасля "
          "які яны ёсць пра",
    "bg": "и в не на че с за да се от е по са като до при или но ще това със които може след бъде към ако има само "
          "както който беше",
    "sr": "и у је на се да за су од са што као или не који која које из о бити може по али до није смо би само",
    "mk": "и во на се да за од со што како или не кој која кои е се ги му но до при ќе само може беше овој оваа",
    "kk": "және мен бұл үшін бар бір де да деп осы болып еді керек жоқ оның сол бойынша",
    # Arabic script
    "ar": "في من على إلى أن هذا التي عن مع الذي هذه كل أو لا ما كان بين هو هي قد ذلك بعد كما",
    "fa": "و در به از که این را با است برای آن یک می تا بر هم نیز شده های خود شود اما",
    "ur": "کے میں ہے کی اور سے کا کو پر نے یہ ہیں اس کہ بھی جو ایک تھا کر نہیں",
    # Devanagari
    "hi": "के में है की और से का को पर ने यह हैं इस कि भी जो एक था कर नहीं",
    "mr": "आणि आहे या च्या मध्ये हे ते की व होते आहेत तर नाही एक साठी",
    "ne": "र को छ मा यो पनि गर्न भएको लागि हो एक छन् गरेको तथा",
}  # fmt: skip
# Letters that few languages write. Beside words, so that a page of names and prices is told too.
_LETTERS = {
    "de": "ßäöü", "fr": "œçêèëûùâîà", "es": "ñ¿¡áíóú", "it": "àèìòù", "pt": "ãõçáéíóúâêô", "nl": "ĳ", "sv": "åäö",
    "da": "åæø", "no": "åæø", "fi": "äö", "pl": "łąęśźżćńó", "cs": "ěřůčšžýáíéň", "sk": "ľĺŕôäčšžýáíéťď",
    "hu": "őűöüáéíóú", "ro": "ășțâîşţ", "tr": "ığşçöü", "vi": "ơưđạảấầẩậắằặẻẽẹếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỹ",
    "hr": "čćžšđ", "sl": "čšž", "et": "õäöü", "lv": "āēīūķļņģšž", "lt": "ėųįąęčšžū", "ca": "çàèéíïòóúü·",
    "gl": "ñáéíóú", "is": "ðþæöáéíóúý",
    "sq": "ëç", "af": "ê", "eu": "ñ",
    "uk": "іїєґ", "be": "ўіё", "ru": "ыэёъ", "bg": "ъщ", "sr": "ђјљњћџ", "mk": "ѓѕјљњќџ", "kk": "әғқңөұүһі",
    "fa": "پچژگیک", "ur": "ٹڈڑںےہھگیک", "ar": "ةىيكأإ",
}  # fmt: skip
# Seldom on the web, and close to a language that is not: they need more to be believed.
_RARE = {"af": 0.8, "gl": 0.8, "eu": 0.8, "sq": 0.8, "tl": 0.8, "sw": 0.8, "ms": 0.8, "be": 0.8, "mk": 0.8, "kk": 0.8}
_GROUPS = {
    "Cyrl": ("ru", "uk", "be", "bg", "sr", "mk", "kk"),
    "Arab": ("ar", "fa", "ur"),
    "Deva": ("hi", "mr", "ne"),
}
_LATIN = tuple(name for name in _WORDS if name not in {name for group in _GROUPS.values() for name in group})


def _table() -> dict[str, dict[str, float]]:
    """word -> language -> weight. A word of n languages weighs 1/n for each of them."""
    owners: dict[str, list[str]] = {}
    for language, words in _WORDS.items():
        for word in dict.fromkeys(words.split()):
            owners.setdefault(word, []).append(language)
    return {word: dict.fromkeys(languages, 1.0 / len(languages)) for word, languages in owners.items()}


_WEIGHTS = _table()
_LETTER_WEIGHTS = {
    letter: {
        name: 0.5 / sum(letter in letters for letters in _LETTERS.values())
        for name in _LETTERS
        if letter in _LETTERS[name]
    }
    for letter in set("".join(_LETTERS.values()))
}


def scores(text: str, candidates: tuple[str, ...] = _LATIN) -> tuple[dict[str, float], int]:
    """For each language, the weight of its words and letters in a text; and the number of words looked at."""
    lower = text.lower()
    counts = Counter(_WORD.findall(lower))
    found = dict.fromkeys(candidates, 0.0)
    for weights_of, counted in ((_WEIGHTS, counts), (_LETTER_WEIGHTS, Counter(lower) if not lower.isascii() else {})):
        for part, count in counted.items():
            weights = weights_of.get(part)
            if weights:
                # Dampened: a menu that repeats one word fifty times says no more than one that says it eight times.
                effect = min(count, 8)
                for language, weight in weights.items():
                    if language in found:
                        found[language] += weight * effect
    for language, believed in _RARE.items():
        if language in found:
            found[language] *= believed
    return found, counts.total()


def sample(text: str, size: int = SAMPLE_CHARS) -> str:
    """The stretch of a text that is looked at."""
    if len(text) <= size:
        return text
    half = size // 2
    middle = len(text) // 2
    return text[:half] + "\n" + text[middle : middle + half]


def detect(text: str, declared: str = "") -> tuple[str, bool]:
    """The language of a text.

    Arguments:
        text: visible text.
        declared: what the page says its language is, "" if nothing.

    Returns:
        BCP 47 primary subtag, or "" if it cannot be told; and whether it is so clear that a declaration of another
        language is wrong.
    """
    part = sample(text, SAMPLE_CHARS // 2 if declared else SAMPLE_CHARS)
    letters = sum(map(len, _WORD.findall(part))) if len(part) < 200 else len(part)
    if not letters:
        return "", False
    if len(_NOT_LATIN.findall(part)) > 0.15 * letters:
        shares = {name: len(pattern.findall(part)) for name, pattern in _SCRIPTS.items()}
        name = max(shares, key=lambda key: shares[key])
        if name in ("zh", "ja"):
            # Japanese prose mixes kana into Han characters; a few kana on a Chinese page are names.
            name = "ja" if shares["ja"] > 0.1 * (shares["zh"] + shares["ja"]) else "zh"
        if name in _GROUPS:
            found, words = scores(part, _GROUPS[name])
            best = max(found, key=lambda key: found[key])
            if not found[best]:
                best = declared if declared in _GROUPS[name] else _GROUPS[name][0]
            clear = declared not in _GROUPS[name] and shares[name] > 100
            if declared in _GROUPS[name] and found[declared] > 0.5 * found[best]:
                best = declared
            return best, clear
        return name, shares[name] > 100
    found, words = scores(part)
    ranked = sorted(found, key=lambda key: -found[key])
    best, second = ranked[0], ranked[1]
    if found[best] < 1.2 or found[best] < (1.03 if found[best] > 6 else 1.15) * found[second]:
        return "", False
    clear = found[best] > 12 and found[best] > 0.08 * words and found[best] > 3 * found.get(declared, 0.0)
    return best, clear
