"""Small word lists of our own: what the nouns of a value say about its kind. A dozen languages, lower case."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))


STREET = words(
    """
    street st st. str str. straße strasse road rd rd. avenue ave ave. av av. lane ln ln. drive dr. boulevard blvd
    blvd. highway hwy hwy. parkway pkwy court ct ct. square sq plaza place pl. terrace way close crescent quay row
    alley suite unit floor fl fl. building bldg box block apt apartment km rue chemin allée allee impasse quai
    route cours faubourg calle carrer carretera avenida avda avda. paseo pasaje camino ronda travesía via viale
    piazza corso largo vicolo contrada strada rua travessa praça estrada rodovia weg gasse platz ring ufer damm
    chaussee laan straat plein kade dreef singel ulica ul ul. aleja al. plac náměstí ulice třída utca út tér körút
    sokak sok. sk. cadde caddesi cd. cad. mahallesi mah. mah bulvarı no no. nr nr. gatan vägen väg torg gate veien
    vej gade katu tie улица ул ул. проспект пр-т просп. переулок пер. шоссе площадь пл. вул вул. вулиця бульвар
    бул. дом д. д корп. оф. кв. شارع طريق خیابان ホーム house hotel tower campus mall centre center park zone
    industrial estate zi ind. postfach p.o. po jalan jl jl. đường phố quận ngõ thanon soi industriegebiet
    gewerbegebiet
    """
)
STREET_ENDS = (
    "straße",
    "strasse",
    "str.",
    "weg",
    "gasse",
    "platz",
    "allee",
    "straat",
    "laan",
    "plein",
    "kade",
    "gatan",
    "vägen",
    "gränd",
    "vej",
    "gade",
    "katu",
    "tie",
    "utca",
    "veien",
    "gata",
    "damm",
    "ufer",
    "ring",
)
JOB = words(
    """
    manager director engineer developer lawyer attorney physician doctor surgeon nurse teacher professor lecturer
    consultant officer president chairman chairwoman founder owner assistant analyst designer architect editor
    writer journalist reporter author photographer artist musician actor actress singer producer therapist
    psychologist psychiatrist dentist pharmacist accountant secretary specialist technician mechanic electrician
    plumber chef cook waiter driver pilot clerk cashier salesperson representative agent broker coach trainer
    instructor researcher scientist intern apprentice ceo cto cfo coo mediator mediatorin redakteurin redakteur
    architekt architektin lehrer lehrerin arzt ärztin anwalt anwältin geschäftsführer geschäftsführerin berater
    beraterin ingenieur leiter leiterin médecin avocat avocate directeur directrice ingénieur professeur
    infirmière journaliste médico abogado abogada directora ingeniero profesor enfermera periodista gerente
    avvocato medico direttore ingegnere giornalista pädagogin pädagoge dipl.-ing. кассир врач директор инженер
    юрист учитель журналист менеджер doktor avukat müdür
    """
)
HONORIFIC = words(
    """
    mr mr. mrs mrs. ms ms. miss dr dr. prof prof. sir dame herr frau monsieur madame mme m. señor señora don doña
    sig. dott. dott.ssa ing. rev. hon. uzm. doç.
    """
)
ORGANISATION = words(
    """
    inc inc. ltd ltd. llc llp plc corp corp. corporation gmbh ag kg ohg e.v. ev s.a. sa sarl s.r.l. srl s.p.a. spa
    bv b.v. nv n.v. ab oy as a/s aps pty co co. company group holding holdings association foundation university
    college institute school academy hospital clinic bank church museum ministry department agency council
    committee society union club library repository archive laboratory studios университет ооо зао оао тов
    """
)
LANDMARK = words(
    """
    tower bridge castle palace cathedral basilica church museum temple monument statue pyramid pyramids square
    stadium arena airport station street avenue university library opera wall fountain gate lighthouse abbey fort
    canyon falls mountain mount lake river island beach harbour harbor park tour eiffel colosseum louvre building
    skyscraper city
    """
)
AUDIENCE = words(
    """
    business businesses company companies customer customers client clients consumer consumers student students
    pupil pupils adult adults child children kid kids teen teens teenager teenagers senior seniors parent parents
    family families woman women man men veteran veterans patient patients employee employees employer employers
    professional professionals freelancer freelancers startup startups enterprise enterprises entrepreneur
    entrepreneurs individual individuals homeowner homeowners tenant tenants landlord landlords citizen citizens
    resident residents immigrant immigrants refugee refugees tourist tourists traveller travellers traveler
    travelers visitor visitors beginner beginners people persons everyone public nonprofit nonprofits organization
    organizations organisations farmer farmers teacher teachers developer developers researcher researchers gamer
    gamers athlete athletes smes sme unternehmen kunden kinder familien studenten schüler senioren frauen männer
    non-profit non-profits charities retailers manufacturers
    newcomers expats couples singles toddlers babies graduates apprentices jobseekers migrants
    disabled disabilities selbstständige gründer vereine behörden mittelstand privatpersonen erwachsene jugendliche
    privatkunden geschäftskunden entreprises étudiants enfants familles particuliers professionnels empresas
    clientes estudiantes niños familias aziende clienti studenti bambini famiglie
    """
)
SERVICE = words(
    """
    service services loan loans care repair repairs cleaning consulting consultation advice advisory support
    training coaching tutoring education insurance delivery shipping transport transportation transfer transfers
    rental hire installation maintenance inspection inspections design development marketing accounting
    bookkeeping management therapy counseling counselling treatment surgery banking finance financing funding
    benefits assistance planning photography catering hosting translation printing storage removal moving sweep
    venting solutions testing engineering construction landscaping plumbing heating replacement security
    recruitment law representation litigation mediation valuation registration licensing grooming dentistry
    nursing massage program programme grant grants relief subscription telephony broadband taxi tour tours booking
    reservation
    """
)
FOOD = words(
    """
    salt pepper sugar flour butter oil olive egg eggs milk cream cheese yogurt water bread rice pasta noodles
    onion onions garlic tomato tomatoes potato potatoes carrot carrots celery bean beans lentils chickpeas pea
    peas corn spinach lettuce cabbage broccoli cauliflower mushroom mushrooms zucchini cucumber eggplant pumpkin
    squash chili chilli paprika cumin cinnamon nutmeg ginger turmeric basil oregano thyme rosemary parsley
    cilantro coriander dill mint sage bay vanilla cocoa chocolate honey syrup molasses yeast soda baking powder
    vinegar wine beer broth stock sauce soy mustard mayonnaise ketchup lemon lime orange apple apples banana
    bananas berries strawberries blueberries raisins dates nuts almonds walnuts pecans peanuts peanut sesame
    tahini coconut chicken beef pork lamb turkey ham bacon sausage fish salmon tuna shrimp prawns tofu seeds oats
    oatmeal cornstarch starch gelatin shortening margarine lard tortilla tortillas dough crust avocado pineapple
    mango peach pear cherry cherries grapes popcorn spice spices seasoning herbs fillet breast thighs thigh mince
    juice zest masala curry cayenne scallions shallot shallots leek mehl zucker eier milch salz öl wasser farine
    sucre beurre œufs lait sel huile eau harina azúcar mantequilla huevos leche sal aceite agua farina zucchero
    burro uova latte sale olio acqua
    """
)
MEASURE = words(
    """
    cup cups tsp tsp. teaspoon teaspoons tbsp tbsp. tablespoon tablespoons oz oz. ounce ounces lb lb. lbs pound
    pounds g kg gram grams ml l liter litre pinch dash clove cloves slice slices can cans package pkg pkg. stick
    sticks bunch handful piece pieces sprig sprigs el tl prise zehe zehen bund dl cl cuillère pincée gousse
    cucharada cucharadita taza
    """
)
PAYMENT = words(
    """
    cash card cards credit debit visa mastercard amex american paypal check checks cheque cheques invoice transfer
    bank bitcoin crypto apple google pay bar barzahlung karte karten kreditkarte ec ec-karte girocard rechnung
    überweisung espèces carte chèque virement efectivo tarjeta contanti carta bonifico contant pin pinnen klarna
    venmo alipay wechat maestro discover diners jcb voucher vouchers coupons financing money order iban sepa
    наличные карта
    """
)
COLOUR = words(
    """
    black white red green blue yellow orange purple violet pink brown grey gray silver gold golden beige ivory
    navy turquoise teal cyan magenta maroon olive khaki bronze copper charcoal cream burgundy multicolor
    multicolour
    """
)
MATERIAL = words(
    """
    cotton wool silk linen leather polyester nylon viscose wood oak pine metal steel stainless aluminium aluminum
    iron plastic glass ceramic porcelain rubber paper cardboard stone marble granite concrete brick bamboo velvet
    denim polycarbonate acrylic vinyl foam gold silver brass bronze titanium carbon
    """
)
FUNCTION = words(
    """
    the a an of and or in on at to for with from by is are was were be been has have it its this that as you your
    we our der die das und oder von mit für auf ist sind ein eine le la les des du de et en un une pour dans est
    sont el los las y del con por para il lo gli che di per è i het een van voor met op dat e o do da em na no que
    se um uma
    """
)
NOTHING = words(
    """
    todo fixme ukendt okänd ukjent tuntematon neznámý neznámé nepoznato ismeretlen desconhecido άγνωστο непознат
    مجهول نامشخص 未定 미정 k.a. n.v.t. n.b. s.o. nenhum ninguno keine aucun nessuno geen
    unknown undefined null none nil nan n/a na n.a. n/d tbd tba tbc void empty - -- --- – — ? ?? ??? . .. ... … _
    * xxx unspecified unbekannt inconnu inconnue desconocido sconosciuto onbekend неизвестно невідомо
    bilinmiyor nieznany 不明 未知 lorem n\\a
    """
)
NOTHING_PHRASES = _phrases(
    """
    not specified | not provided | not available | not applicable | not known | not given | not set | not found |
    no data | no value | no description | no description available | to be determined | to be announced | to be
    defined | coming soon | insert text here | default value | sample text | your text here | keine angabe | nicht
    angegeben | nicht verfügbar | non spécifié | non renseigné | no especificado | no disponible | non specificato
    | non disponibile | niet beschikbaar | не указано | нет данных | غير محدد | غير معروف | not mentioned | not
    stated | no information | information not available
    """
)
SOCIAL = words(
    """
    facebook.com twitter.com x.com instagram.com linkedin.com youtube.com youtu.be pinterest.com tiktok.com vk.com
    wikipedia.org wikidata.org github.com t.me telegram.me snapchat.com tumblr.com vimeo.com flickr.com yelp.com
    tripadvisor.com imdb.com plus.google.com soundcloud.com spotify.com reddit.com medium.com xing.com ok.ru
    weibo.com threads.net bsky.app mastodon.social discogs.com musicbrainz.org crunchbase.com goodreads.com
    """
)
GENERIC = {
    "addressLocality": words("city town locality stadt ort ville ciudad città plaats место город"),
    "addressRegion": words("state region province county bundesland kanton provincia région us usa uk eu gb"),
    "addressCountry": words("country land pays país paese"),
    "streetAddress": words(
        "street address streetaddress straße adresse dirección indirizzo locatie location adres rue"
    ),
    "postalCode": words("zip zipcode postcode postalcode plz"),
    "telephone": words("phone telephone tel telefon téléphone teléfono"),
    "email": words("email e-mail mail"),
    "name": words("name title titel nom nombre"),
    "headline": words("headline title titel"),
    "description": words("description beschreibung descripción descrizione"),
    "jobTitle": words("title job position jobtitle"),
    "author": words("author autor auteur"),
    "contactType": words("telephone phone email e-mail fax mobile address telefon"),
    "price": words("price preis prix precio"),
}
MODES = words(
    """
    online live onsite on-site blended hybrid full part time remote virtual distance self-paced evening weekend
    synchronous asynchronous onlinekurs präsenz abends hörsaal fernunterricht présentiel distanciel presencial distancia
    """
)
BUTTONS = _phrases(
    """
    read more | learn more | click here | show more | see more | view more | more info | more details |
    buy now | add to cart | view all | mehr erfahren | weiterlesen | mehr anzeigen | mehr lesen |
    lire la suite | en savoir plus | voir plus | leer más | ver más | saber más | leggi tutto | scopri di più |
    lees meer | meer lezen | czytaj więcej | читать далее | подробнее | devamını oku | daha fazla | 了解更多 |
    查看更多 | もっと見る | 続きを読む | 더 보기 | اقرأ المزيد
    """
)
UNITS = {
    "mass": words(
        """
        g kg mg µg μg mcg gr gram grams gramm gramme grammes gramos grammi grammo milligram milligrams kilogram
        kilograms oz ounce ounces lb lbs pound pounds t ton tons tonne tonnes st stone г кг мг грамм
        """
    ),
    "energy": words("cal kcal kj j calories calorie kalorien calorías kilocalories joule joules кал ккал"),
    "length": words(
        """
        m cm mm km px pixel pixels in inch inches ft foot feet yd yard yards mile miles meter meters metre metres
        centimeter centimeters millimeter millimeters em rem pt zoll см мм м
        """
    ),
    "time": words("h hour hours min minute minutes sec second seconds day days week weeks"),
}
