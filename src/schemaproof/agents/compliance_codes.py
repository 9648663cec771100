"""Codes and names as facts: tickers, ISO 3166-1, everyday names of currencies, countries, languages and units.

What CLDR holds is not repeated here (see `compliance_names`): these are the names that it does not give.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))


def _codes(text: str) -> dict[str, str]:
    """Name to code, from "CODE: name, name | CODE: name"."""
    table: dict[str, str] = {}
    for entry in text.split("|"):
        code, _, names = entry.partition(":")
        table.update((" ".join(name.split()), code.strip()) for name in names.split(","))
    return table


# Cryptocurrencies by their usual ticker symbol.
TICKERS = words(
    """
    ADA ALGO APT ARB ATOM AVAX BCH BNB BTC DAI DASH DOGE DOT EOS ETC ETH FIL IOTA LINK LTC MATIC MIOTA NEAR NEO SHIB
    SOL TON TRX UNI USDC USDT VET XBT XLM XMR XRP XTZ ZEC
    """
)
LOCAL_CURRENCIES = _phrases(
    """
    berkshares | bristol pound | brixton pound | calgary dollar | chiemgauer | eusko | ithaca hour | ithaca hours |
    lewes pound | palma | salt spring dollar | sol-violette | time dollar | timebanks | totnes pound | wir
    """
)
# "$" alone names no one currency.
CURRENCY_WORDS = _codes(
    """
    EUR: €, euros | GBP: £, pound, pounds, sterling | INR: ₹, rupee, rupees, rs, rs. | RUB: ₽, руб, руб., ruble,
    rouble | UAH: ₴, грн, грн. | TRY: ₺, tl | KRW: ₩ | VND: ₫ | ILS: ₪ | PHP: ₱ | THB: ฿ | NGN: ₦ | USD: us$, $us,
    dollar, dollars | AUD: a$ | CAD: c$ | BRL: r$ | PLN: zł | CZK: kč | CHF: fr., sfr, chf., franken | JPY: 円, yen |
    CNY: 元, rmb, yuan | BGN: лв, лв.
    """
)
UNIT_CODES = _codes(
    """
    KGM: kg, kilogram, kilograms | GRM: g, gram, grams | MGM: mg | LBR: lb, lbs, pound, pounds | ONZ: oz, ounce |
    MTR: m, meter, metre, meters | CMT: cm, centimeter, centimeters | MMT: mm, millimeter | KMT: km, kilometer,
    kilometers | INH: in, inch, inches | FOT: ft, foot, feet | SMI: mile, miles | LTR: l, liter, litre | MLT: ml |
    MTK: m², m2, sqm, square meters | FTK: sq ft, sqft, square feet | HUR: hour, hours, h | MIN: minute, minutes,
    min | SEC: second, seconds | DAY: day, days | WEE: week, weeks | MON: month, months | ANN: year, years | CEL:
    celsius, °c | KWT: kw | KWH: kwh | P1: percent, % | C62: piece, pieces, unit | KMH: km/h
    """
)
# Names of countries in their own languages, and long or old forms.
COUNTRY_WORDS = _codes(
    """
    US: usa, u.s.a., u.s., united states of america, america | GB: uk, u.k., great britain, britain, england,
    scotland, wales, northern ireland | NL: holland, the netherlands, nederland | DE: deutschland | CH: schweiz,
    suisse, svizzera, svizra | AT: österreich | BE: belgique, belgië, belgien | ES: españa | IT: italia | BR: brasil
    | MX: méxico | PE: perú | PA: panamá | TR: türkiye, turkey | PL: polska | CZ: česko, česká republika, czech
    republic | SK: slovenská republika, slovensko | HU: magyarország | RO: românia | HR: hrvatska | RS: srbija,
    србија | SI: slovenija | SE: sverige | NO: norge | DK: danmark | FI: suomi | IS: ísland | IE: éire, republic of
    ireland | EE: eesti | LV: latvija | LT: lietuva | GR: ελλάδα | CY: κύπρος | RU: россия, российская федерация,
    russian federation | UA: україна, украина | BY: беларусь | BG: българия | KZ: казахстан | JP: 日本 | CN: 中国, 中國,
    people's republic of china, prc | TW: 台灣, 台湾 | HK: 香港, hong kong | MO: macau | KR: 한국, 대한민국,
    south korea, republic of korea, korea | VN: việt nam, viet nam | TH: ประเทศไทย, ไทย | ID: indonesia | MY:
    malaysia | IN: भारत
    | IR: ایران, iran | EG: مصر | SA: السعودية, المملكة العربية السعودية, ksa, kingdom of saudi arabia | AE:
    الإمارات, uae, u.a.e., الإمارات العربية المتحدة | MA: المغرب, maroc | DZ: algérie | TN: tunisie | IL: ישראל |
    MM: burma | CI: ivory coast | CV: cape verde | SZ: swaziland | MK: macedonia | VA: vatican
    """
)
ALPHA2 = words(
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET EU FI FJ FK FM
    FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT
    JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN
    MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT
    PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL
    TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
    """
)
ALPHA3 = words(
    """
    ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH BLM
    BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB CUW CXR
    CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO GGY GHA GIB
    GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA
    JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA
    MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR
    NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS
    SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON
    TTO TUN TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE
    """
)
LANGUAGE_WORDS = _codes(
    """
    de: deutsch | fr: français, francais | es: español, castellano | it: italiano | pt: português | nl: nederlands,
    flemish | sv: svenska | no: norsk | da: dansk | fi: suomi | pl: polski | cs: čeština, česky | sk: slovenčina |
    hu: magyar | ro: română | tr: türkçe | el: ελληνικά | ru: русский | uk: українська | bg: български | ja: 日本語 |
    zh: 中文, chinese | ko: 한국어 | ar: العربية | he: עברית | hi: हिन्दी | vi: tiếng việt | th: ไทย | id: bahasa
    indonesia | cmn: mandarin | yue: cantonese | fa: farsi, persian | tl: tagalog | en-US: american english | en-GB:
    british english
    """
)
