"""The language detector on prose of our own in every language that it knows, and on recorded pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaproof.page.language import detect

# ruff: noqa: E501
SENTENCES = {
    "en": "The workshop opens at nine and you can bring your own chair to be repaired while you wait for it.",
    "de": "Die Werkstatt öffnet um neun Uhr, und man kann den eigenen Stuhl mitbringen, der dann repariert wird.",
    "fr": "L'atelier ouvre à neuf heures et vous pouvez apporter votre chaise pour la faire réparer dans la journée.",
    "es": "El taller abre a las nueve y usted puede traer su propia silla para que la reparen en el mismo día.",
    "it": "La bottega apre alle nove e si può portare la propria sedia per farla riparare nella stessa giornata.",
    "pt": "A oficina abre às nove e você pode trazer a sua cadeira para que seja reparada no mesmo dia, não é preciso marcar.",
    "nl": "De werkplaats gaat om negen uur open en je kunt je eigen stoel meenemen om die te laten maken.",
    "sv": "Verkstaden öppnar klockan nio och du kan ta med din egen stol för att få den lagad medan du väntar.",
    "da": "Værkstedet åbner klokken ni, og du kan tage din egen stol med og få den repareret, mens du venter på den efter frokost.",
    "fi": "Paja avataan yhdeksältä, ja voit tuoda oman tuolisi korjattavaksi, kun se on rikki, mutta myös pöytä sopii.",
    "pl": "Warsztat jest otwarty od dziewiątej i można przynieść własne krzesło, które naprawimy w ciągu dnia, także po południu.",
    "cs": "Dílna otevírá v devět a můžete si s sebou přinést vlastní židli, kterou opravíme ještě ten den, pokud to není příliš.",
    "sk": "Dielňa otvára o deviatej a môžete si so sebou priniesť vlastnú stoličku, ktorú opravíme ešte v ten deň, ak to nie je veľa.",
    "hu": "A műhely kilenckor nyit, és el lehet hozni a saját széket is, hogy még aznap megjavítsuk, ha van rá idő.",
    "ro": "Atelierul se deschide la ora nouă și puteți aduce scaunul dumneavoastră pentru a fi reparat în aceeași zi, dacă este cazul.",
    "tr": "Atölye saat dokuzda açılır ve kendi sandalyenizi getirip aynı gün içinde tamir ettirmek için bir randevu gerekli değil.",
    "id": "Bengkel buka pada pukul sembilan dan anda dapat membawa kursi untuk diperbaiki dalam hari yang sama oleh kami.",
    "vi": "Xưởng mở cửa lúc chín giờ và bạn có thể mang ghế của mình đến để được sửa trong ngày với giá không cao.",
    "hr": "Radionica se otvara u devet i možete donijeti svoju stolicu koju ćemo popraviti isti dan, ali samo ako je to moguće.",
    "sl": "Delavnica se odpre ob devetih in lahko prinesete svoj stol, ki ga bomo popravili še isti dan, če je to mogoče.",
    "et": "Töökoda avatakse kell üheksa ja sa võid tuua oma tooli, mis saab korda veel samal päeval, kui see on võimalik.",
    "lv": "Darbnīca ir atvērta no deviņiem, un jūs varat atnest savu krēslu, kas tiek salabots tajā pašā dienā vai arī pēc nedēļas.",
    "lt": "Dirbtuvės atidaromos devintą ir galite atsinešti savo kėdę, kuri bus pataisyta tą pačią dieną, jei tai yra įmanoma.",
    "ca": "El taller obre a les nou i podeu portar la vostra cadira perquè sigui reparada el mateix dia, amb cita o sense, és igual.",
    "ru": "Мастерская открывается в девять, и вы можете принести свой стул, который мы починим в тот же день, если это возможно.",
    "uk": "Майстерня відкривається о дев'ятій, і ви можете принести свій стілець, який ми полагодимо в той же день, якщо це можливо.",
    "bg": "Работилницата отваря в девет и можете да донесете своя стол, който ще поправим още същия ден, ако това е възможно.",
    "el": "Το εργαστήριο ανοίγει στις εννέα και μπορείτε να φέρετε την καρέκλα σας.",
    "he": "הסדנה נפתחת בתשע ואפשר להביא את הכיסא שלכם לתיקון באותו היום.",
    "ar": "تفتح الورشة في الساعة التاسعة ويمكن إحضار الكرسي من البيت إلى هنا، بعد ذلك نصلحه في هذا اليوم.",
    "fa": "کارگاه ساعت نه باز می شود و شما می توانید صندلی خود را برای تعمیر به اینجا بیاورید، این کار یک روز است.",
    "hi": "कार्यशाला नौ बजे खुलती है और आप अपनी कुर्सी को मरम्मत के लिए ला सकते हैं, यह काम एक दिन में होता है।",
    "th": "โรงงานเปิดเวลาเก้าโมงและคุณสามารถนำเก้าอี้มาซ่อมได้ในวันเดียวกัน",
    "ja": "工房は九時に開きます。椅子をお持ちいただければ、その日のうちに修理いたします。",
    "zh": "工坊九点开门，您可以带自己的椅子来修理，当天就能取回。",
    "ko": "공방은 아홉 시에 열며 의자를 가져오시면 그날 바로 수리해 드립니다.",
    "ka": "სახელოსნო ცხრა საათზე იხსნება და შეგიძლიათ თქვენი სკამი მოიტანოთ.",
}  # fmt: skip


@pytest.mark.parametrize("language", SENTENCES)
def test_one_sentence_is_enough(language: str) -> None:
    assert detect(SENTENCES[language])[0] == language


@pytest.mark.parametrize("language", SENTENCES)
def test_a_declaration_of_the_same_language_is_never_called_wrong(language: str) -> None:
    assert detect(SENTENCES[language] * 5, language) == (language, detect(SENTENCES[language] * 5, language)[1])


@pytest.mark.parametrize(("declared", "real"), [("en", "de"), ("en", "ja"), ("de", "ru"), ("fr", "ar"), ("ja", "en")])
def test_a_declaration_of_another_language_is_called_wrong_where_it_is_plain(declared: str, real: str) -> None:
    assert detect(SENTENCES[real] * 8, declared) == (real, True)


@pytest.mark.parametrize("text", ["", "  ", "123 456", "Lamp", "€ 9,50", "XYZ-77 QW"])
def test_nothing_is_said_about_nothing(text: str) -> None:
    assert detect(text) == ("", False)


@given(st.text(max_size=80), st.sampled_from(["", "en", "xx", "zh"]))
@settings(deadline=None)
def test_any_text_gives_a_tag_or_none(text: str, declared: str) -> None:
    language, _ = detect(text, declared)
    assert language == "" or (2 <= len(language) <= 3 and language.isalpha())


def test_recorded_pages(shared: Path) -> None:
    """The floor is for regressions. The column `lang` is itself the answer of a detector, wrong on at least 2 pages."""
    import duckdb

    from schemaproof.page import read_page

    query = "select html, lang from read_parquet(?)"
    rows = duckdb.execute(query, [str(shared / "paper" / "pages.parquet")]).fetchall()
    right = sum(detect(read_page(html).text)[0] == language for html, language in rows)
    print(f"language: {right} of {len(rows)} as recorded")
    assert right >= 78
