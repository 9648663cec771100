"""What a property's values should be: a format, or a family of texts, worked out from its name and ranges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from schemaproof.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Expectation:
    """What values of a property should be.

    Attributes:
        format: name of a format of `compliance_formats.formats`, or "".
        family: name of a family of `compliance_families.FAMILIES`: what a text should be.
        enumerations: enumerations whose members fit.
        url: an address fits too.
        text: any text may fit, so that a format is only one way to say it.
        entity: entities fit (a bare text is then the name of one).
        boolean: true and false fit.
        type_names: names of types fit (interactionType), below these.
    """

    format: str = ""
    family: str = "any"
    enumerations: tuple[str, ...] = ()
    url: bool = False
    text: bool = False
    entity: bool = False
    boolean: bool = False
    type_names: tuple[str, ...] = ()


def _table(lines: str) -> dict[str, str]:
    return {
        name: line.split(":")[0].strip() for line in lines.strip().splitlines() for name in line.split(":")[1].split()
    }


# Formats that the definitions ask for. Own reading of the definitions; where these say "e.g." only, no format.
_FORMATS = _table("""
    email: email
    telephone: telephone faxNumber servicePhone serviceSmsNumber
    rating: ratingValue
    scale-end: bestRating worstRating
    price: price lowPrice highPrice minPrice maxPrice totalPrice
    currency: priceCurrency currency salaryCurrency discountCurrency costCurrency
    currencies: currenciesAccepted
    opening-hours: openingHours
    country: addressCountry applicableCountry returnPolicyCountry
    language: inLanguage availableLanguage subtitleLanguage knowsLanguage
    latitude: latitude
    longitude: longitude
    postal-code: postalCode postalCodeBegin postalCodeEnd
    unit-code: unitCode
    media-type: encodingFormat fileFormat encodingType contentType
    image: image logo thumbnailUrl screenshot photo photos thumbnail primaryImageOfPage colorSwatch
    url: mobileUrl
    gtin: gtin
    gtin8: gtin8
    gtin12: gtin12
    gtin13: gtin13
    gtin14: gtin14
    gln: globalLocationNumber
    isbn: isbn
    issn: issn
    lei: leiCode
    duns: duns
    naics: naics
    isic: isicV4
    iso6523: iso6523Code
    npi: usNPI
    iata: iataCode
    icao: icaoCode
    vin: vehicleIdentificationNumber
    isrc: isrcCode
    iswc: iswcCode
    eidr: titleEIDR editEIDR
    sha256: sha256
    time-zone: scheduleTimezone
    by-day: byDay
    css: cssSelector
    xpath: xpath
    points: line polygon
    circle: circle
    http-method: httpMethod
    ticker: tickerSymbol
    month: byMonth
    month-day: byMonthDay
    year: copyrightYear yearBuilt
    duration: observationPeriod repeatFrequency
    mass: weight fatContent saturatedFatContent unsaturatedFatContent transFatContent carbohydrateContent
    mass: fiberContent sugarContent proteinContent sodiumContent cholesterolContent
    energy: calories
    distance: width height depth
""")

# Families of texts, for properties whose name and ranges do not say enough.
_FAMILIES = _table("""
    name: name alternateName legalName givenName familyName additionalName characterName programName trainName
    name: busName valueName executableLibraryName broadcastDisplayName
    title: headline alternativeHeadline title caption breadcrumb
    label: keywords genre articleSection category recipeCategory
    cuisine: recipeCuisine servesCuisine
    contact: contactType
    nation: nationality countryOfOrigin countryOfAssembly countryOfLastProcessing
    label: applicationCategory applicationSubCategory credentialCategory educationalLevel learningResourceType
    prose: description text reviewBody commentText disambiguatingDescription abstract slogan responsibilities
    prose: ratingExplanation jobBenefits incentiveCompensation qualifications warning recipeInstructions
    prose: lodgingUnitDescription
    long: articleBody accessibilitySummary conditionsOfAccess transcript copyrightNotice employerOverview
    long: embeddedTextCaption
    street: streetAddress
    locality: addressLocality
    region: addressRegion
    place: location areaServed serviceArea birthPlace deathPlace homeLocation workLocation foundingLocation
    place: contentLocation locationCreated spatialCoverage jobLocation eligibleRegion ineligibleRegion
    place: itemLocation regionsAllowed
    job: jobTitle roleName
    audience: audienceType
    service: serviceType
    food: recipeIngredient ingredients
    payment: paymentAccepted paymentMethod acceptedPaymentMethod
    colour: color vehicleInteriorColor
    code: codeValue termCode sku mpn productID serialNumber orderNumber confirmationNumber trackingNumber
    code: ticketNumber reservationId flightNumber accountId membershipNumber reportNumber catalogNumber identifier
    code: propertyID taxID vatID branchCode callSign courseCode discountCode accessCode healthPlanId
    code: healthPlanNetworkId productGroupID rxcui nsn inProductGroupWithID orderItemNumber acrissCode
    code: broadcastChannelId paymentMethodId cvdFacilityId asin legislationIdentifier busNumber trainNumber
    code: postOfficeBoxNumber ticketToken errorCode
    token: accessMode accessibilityFeature accessibilityHazard accessibilityControl accessibilityAPI courseMode
    token: interactivityType sampleType
    signal: videoFormat broadcastSignalModulation videoQuality bitrate contentSize fileSize softwareVersion
    signal: version schemaVersion assemblyVersion
    type: additionalType
    ordinal: position episodeNumber seasonNumber volumeNumber issueNumber clipNumber pageStart pageEnd pagination
    price-range: priceRange
    measure: size recipeYield yield servingSize
    reference: query
    any: urlTemplate checkoutPageURLTemplate dateline
    mode: courseMode educationalProgramMode
""")
_TEMPLATES = frozenset({"urlTemplate", "target", "checkoutPageURLTemplate", "query-input", "valuePattern"})
_COUNTS = re.compile(
    r"(?:Count|numberOf\w+|\w*[cC]apacity|totalJobOpenings|maximumEnrollment|repeatCount|wordCount|numTracks)$"
)
_HEADS = (
    (re.compile(r"(?:Code|ID|Id|Number|Identifier)$"), "code"),
    (re.compile(r"(?:Name|Label)$"), "name"),
    (re.compile(r"(?:Description|Summary|Notes?|Explanation|Overview|Considerations?)$"), "prose"),
    (re.compile(r"(?:Currency)$"), "currency"),
)
_DATES = frozenset({"Date", "DateTime"})
_PARTY = frozenset({"Person", "Organization"})
_STRUCTURED = (
    "Rating", "QuantitativeValue", "MonetaryAmount", "GeoCoordinates", "GeoShape", "NutritionInformation",
    "OpeningHoursSpecification", "ContactPoint", "PriceSpecification", "InteractionCounter", "Offer", "Review",
)  # fmt: skip


def is_template(name: str) -> bool:
    """True for properties whose values may hold braces (URI templates, RFC 6570)."""
    return name in _TEMPLATES


def is_quantity(vocabulary: Vocabulary, name: str) -> bool:
    """True where the property's values are measured or counted things."""
    known = vocabulary.properties.get(name)
    return known is not None and bool(known.ranges) and set(known.ranges) <= {"QuantitativeValue", "Number", "Integer"}


@lru_cache(maxsize=8192)
def expectation(vocabulary: Vocabulary, name: str) -> Expectation:
    """What values of a property should be.

    Arguments:
        vocabulary: whose ranges count.
        name: the property's bare name.
    """
    known = vocabulary.properties.get(name)
    ranges = frozenset(known.ranges) if known else frozenset()
    enumerations = tuple(each for each in ranges if vocabulary.is_enumeration(each) and vocabulary.members(each))
    entities = tuple(each for each in vocabulary.entity_ranges(name) if each not in enumerations) if known else ()
    text = vocabulary.text_range(name)
    url = "URL" in ranges or name in ("mobileUrl",)
    boolean = "Boolean" in ranges
    format_name = _FORMATS.get(name, "")
    family = _FAMILIES.get(name, "")
    type_names = tuple(each for each in entities if each == "Action")
    if not format_name and not family:
        format_name, family = _by_range(name, ranges, entities, text)
    if not family:
        family = _by_name(name, ranges, entities, text)
        if family == "currency":
            format_name, family = "currency", "any"
    soft = (
        text and bool(format_name) and name in ("temporal", "temporalCoverage", "applicationDeadline", "jobStartDate")
    )
    if text and set(entities) <= {"TextObject", "MediaObject"}:
        entities = ()
    return Expectation(format_name, family, enumerations, url, soft, bool(entities), boolean, type_names)


def _by_range(name: str, ranges: frozenset[str], entities: tuple[str, ...], text: bool) -> tuple[str, str]:
    if ranges and ranges <= {"URL"}:
        return "url", "any"
    if "Duration" in ranges and not text and not ranges & _DATES:
        return "duration", "any"
    if ranges and ranges <= {"Date", "DateTime"}:
        return "date", "any"
    if ranges and ranges <= {"Date", "DateTime", "Time"}:
        return ("time" if ranges == {"Time"} else "date-or-time"), "any"
    if ranges & _DATES and text:
        return "date", "any"
    if ranges == {"Boolean"}:
        return "boolean", "any"
    if ranges == {"Integer"}:
        return ("count" if _COUNTS.search(name) else "integer"), "any"
    if ranges == {"Number"}:
        return "number", "any"
    if ranges and ranges <= {"Number", "Integer", "QuantitativeValue"}:
        return "", "measure"
    if ranges == {"Number", "Text"} and name in ("discount", "elevation"):
        return "", "measure"
    return "", ""


def _by_name(name: str, ranges: frozenset[str], entities: tuple[str, ...], text: bool) -> str:
    for head, family in _HEADS:
        if head.search(name) and (text or not entities):
            return family
    if ranges & _PARTY and not ranges & {"Thing", "CreativeWork", "Product"}:
        return "party"
    if ranges & {"Place", "AdministrativeArea", "PostalAddress", "Country"}:
        return "place"
    if any(each in _STRUCTURED for each in entities) and not text:
        return "structured"
    if text or ranges & {"DefinedTerm"}:
        return "term"
    if entities:
        return "name"
    return "any"
