"""Google's rich results as a table of facts: which properties each needs, which help, which are retired.

Facts from Google Search Central's documentation (each feature's page is given) as of October 2026, in a notation of
our own: `a` must be there; `a | b` one of them; `a.b` every entity under `a` must have `b`; `a >= 2` at least two.
"""

from __future__ import annotations

from dataclasses import dataclass

GUIDES = "https://developers.google.com/search/docs/appearance/structured-data/"
_JUNE_2025 = "https://developers.google.com/search/blog/2025/06/simplifying-search-results"


@dataclass(frozen=True, slots=True)
class Feature:
    """One rich result.

    Attributes:
        name: Google's name of it.
        types: classes that it is about; classes below them count.
        page: its page: an address, or the last part of one under `GUIDES`.
        required: what an entity needs to be eligible, see the notation above.
        recommended: what makes it better.
        alone: what it needs where it stands by itself, not as the value of another entity's property.
        without: classes below one of `types` that it is not about, with all below them that `types` does not name.
        when: a property without which the feature is not meant.
        anywhere: also for entities that are values of other entities' properties.
        retired: since when it is no longer shown, YYYY-MM-DD, or "".
    """

    name: str
    types: tuple[str, ...]
    page: str
    required: tuple[str, ...] = ()
    recommended: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    when: str = ""
    anywhere: bool = False
    retired: str = ""

    @property
    def source(self) -> str:
        """The address of its page."""
        return self.page if "://" in self.page else GUIDES + self.page


def _feature(
    name: str,
    types: str,
    page: str,
    *,
    required: str = "",
    recommended: str = "",
    alone: str = "",
    without: str = "",
    when: str = "",
    anywhere: bool = False,
    retired: str = "",
) -> Feature:
    """A feature from lists written with commas."""

    def parts(text: str) -> tuple[str, ...]:
        return tuple(each.strip() for each in text.split(",") if each.strip())

    return Feature(
        name,
        parts(types),
        page,
        parts(required),
        parts(recommended),
        parts(alone),
        parts(without),
        when,
        anywhere,
        retired,
    )


FEATURES: tuple[Feature, ...] = (
    _feature(
        "Article",
        "Article, BlogPosting",
        "article",
        recommended="author, author.name, author.url, dateModified, datePublished, headline, image",
        without="SocialMediaPosting",
    ),
    _feature(
        "Breadcrumb",
        "BreadcrumbList",
        "breadcrumb",
        required="itemListElement >= 2, itemListElement.position, itemListElement.name | item.name",
        anywhere=True,
    ),
    _feature(
        "Carousel",
        "ItemList",
        "carousel",
        required="itemListElement >= 2, itemListElement.position, itemListElement.url | item",
        without="BreadcrumbList, HowToStep, HowToSection, OfferCatalog",
    ),
    _feature("Course list", "Course", "course", required="name, description", recommended="provider"),
    _feature(
        "Course info",
        "Course",
        _JUNE_2025,
        required="name, description, provider, offers, hasCourseInstance",
        when="hasCourseInstance",
        retired="2025-09-09",
    ),
    _feature(
        "Dataset",
        "Dataset",
        "dataset",
        required="name, description, distribution.contentUrl",
        recommended="alternateName, creator, distribution, identifier, isAccessibleForFree, keywords, license, "
        "spatialCoverage, temporalCoverage, variableMeasured",
    ),
    _feature(
        "Discussion forum",
        "DiscussionForumPosting, SocialMediaPosting",
        "discussion-forum",
        required="author, author.name, datePublished, text | image | video | sharedContent",
        recommended="author.url, comment, headline, interactionStatistic, url",
        without="BlogPosting",
    ),
    _feature(
        "Education Q&A",
        "Quiz",
        "education-qa",
        required="hasPart, hasPart.acceptedAnswer, hasPart.acceptedAnswer.text, hasPart.eduQuestionType, hasPart.text",
        recommended="about, educationalAlignment",
    ),
    _feature(
        "Employer aggregate rating",
        "EmployerAggregateRating",
        "employer-rating",
        required="itemReviewed, itemReviewed.name, ratingCount | reviewCount, ratingValue",
        recommended="bestRating, itemReviewed.sameAs, worstRating",
        anywhere=True,
    ),
    _feature(
        "Estimated salary",
        "Occupation",
        _JUNE_2025,
        required="name, estimatedSalary, occupationLocation",
        retired="2025-09-09",
    ),
    _feature(
        "Event",
        "Event",
        "event",
        required="location, location.address | url, name, startDate",
        recommended="description, endDate, eventStatus, image, location.name, offers, offers.availability, "
        "offers.price, offers.priceCurrency, offers.url, organizer, organizer.name, performer",
        without="CourseInstance, PublicationEvent, UserInteraction",
    ),
    _feature(
        "Fact check",
        "ClaimReview",
        _JUNE_2025,
        required="claimReviewed, reviewRating, url",
        recommended="author, itemReviewed",
        retired="2025-09-09",
    ),
    _feature(
        "FAQ",
        "FAQPage",
        "https://developers.google.com/search/updates#removing-faq-rich-result",
        required="mainEntity, mainEntity.name, mainEntity.acceptedAnswer, mainEntity.acceptedAnswer.text",
        retired="2026-05-07",
    ),
    _feature(
        "How-to",
        "HowTo",
        "https://developers.google.com/search/blog/2023/08/howto-faq-changes",
        required="name, step",
        without="Recipe",
        retired="2023-09-13",
    ),
    _feature(
        "Image metadata",
        "ImageObject",
        "image-license-metadata",
        required="contentUrl, creator | creditText | copyrightNotice | license",
        recommended="acquireLicensePage, copyrightNotice, creator, creator.name, creditText, license",
    ),
    _feature(
        "Job posting",
        "JobPosting",
        "job-posting",
        required="datePosted, description, hiringOrganization, jobLocation | applicantLocationRequirements, "
        "jobLocation.address, title",
        recommended="baseSalary, directApply, employmentType, hiringOrganization.name, identifier, validThrough",
    ),
    _feature(
        "Learning video",
        "VideoObject",
        _JUNE_2025,
        required="educationalAlignment, learningResourceType",
        when="learningResourceType",
        retired="2025-09-09",
    ),
    _feature(
        "Local business",
        "LocalBusiness",
        "local-business",
        required="address, name",
        recommended="aggregateRating, geo, geo.latitude, geo.longitude, openingHoursSpecification, priceRange, review, "
        "telephone, url",
        without="VacationRental",
    ),
    _feature(
        "Loyalty program",
        "MemberProgram",
        "loyalty-program",
        required="description, hasTiers, hasTiers.hasTierBenefit, hasTiers.name, name",
        recommended="hasTiers.hasTierRequirement, hasTiers.membershipPointsEarned, url",
        anywhere=True,
    ),
    _feature(
        "Math solver",
        "MathSolver",
        "math-solvers",
        required="potentialAction, potentialAction.mathExpression-input, potentialAction.target, url, usageInfo",
        recommended="inLanguage, potentialAction.eduQuestionType, assesses",
    ),
    _feature(
        "Merchant listing",
        "Product",
        "merchant-listing",
        required="image, name, offers.price | priceSpecification.price, offers.priceCurrency | "
        "priceSpecification.priceCurrency",
        recommended="aggregateRating, brand, brand.name, description, gtin | gtin8 | gtin12 | gtin13 | gtin14 | isbn | "
        "mpn, offers.availability, offers.hasMerchantReturnPolicy, offers.itemCondition, "
        "offers.shippingDetails, review, sku",
        without="ProductGroup, Vehicle",
        when="offers",
    ),
    _feature(
        "Movie", "Movie", "movie", required="image, name", recommended="aggregateRating, dateCreated, director, review"
    ),
    _feature(
        "Organization",
        "Organization",
        "organization",
        recommended="address, contactPoint | telephone | email, description, logo, name, sameAs, url",
        without="LocalBusiness",
    ),
    _feature(
        "Practice problem",
        "Quiz",
        "https://developers.google.com/search/updates",
        required="hasPart, hasPart.eduQuestionType, hasPart.suggestedAnswer",
        when="educationalLevel",
        retired="2026-01-31",
    ),
    _feature(
        "Product snippet",
        "Product",
        "product-snippet",
        required="name, review | aggregateRating | offers, offers.price | priceSpecification.price | lowPrice",
        recommended="aggregateRating, offers, offers.availability, offers.priceCurrency, review",
        without="ProductGroup, Vehicle",
    ),
    _feature(
        "Product variants",
        "ProductGroup",
        "product-variants",
        required="name",
        recommended="aggregateRating, brand, brand.name, description, hasVariant, productGroupID, variesBy",
    ),
    _feature(
        "Profile page",
        "ProfilePage",
        "profile-page",
        required="mainEntity, mainEntity.name | alternateName",
        recommended="dateCreated, dateModified, mainEntity.description, mainEntity.identifier, mainEntity.image, "
        "mainEntity.interactionStatistic | agentInteractionStatistic, mainEntity.sameAs",
    ),
    _feature(
        "Q&A",
        "QAPage",
        "qapage",
        required="mainEntity, mainEntity.acceptedAnswer | suggestedAnswer, mainEntity.acceptedAnswer.text, "
        "mainEntity.answerCount, mainEntity.name, mainEntity.suggestedAnswer.text",
        recommended="mainEntity.acceptedAnswer.author, mainEntity.acceptedAnswer.upvoteCount, "
        "mainEntity.acceptedAnswer.url, mainEntity.author, mainEntity.datePublished, mainEntity.text, "
        "mainEntity.upvoteCount",
    ),
    _feature(
        "Recipe",
        "Recipe",
        "recipe",
        required="image, name",
        recommended="aggregateRating, author, cookTime, datePublished, description, keywords, nutrition.calories, "
        "prepTime, recipeCategory, recipeCuisine, recipeIngredient, recipeInstructions, recipeYield, "
        "totalTime, video",
    ),
    _feature(
        "Return policy",
        "MerchantReturnPolicy",
        "return-policy",
        required="applicableCountry | merchantReturnLink, returnPolicyCategory | merchantReturnLink",
        recommended="merchantReturnDays, refundType, returnFees, returnMethod, returnPolicyCountry",
        anywhere=True,
    ),
    _feature(
        "Review snippet",
        "Review",
        "review-snippet",
        required="author, author.name, reviewRating, reviewRating.ratingValue",
        recommended="datePublished",
        alone="itemReviewed, itemReviewed.name",
        without="ClaimReview, EmployerReview, MediaReview",
        anywhere=True,
    ),
    _feature(
        "Review snippet",
        "AggregateRating",
        "review-snippet",
        required="ratingCount | reviewCount, ratingValue",
        recommended="bestRating, worstRating",
        alone="itemReviewed, itemReviewed.name",
        without="EmployerAggregateRating",
        anywhere=True,
    ),
    _feature(
        "Site name",
        "WebSite",
        "https://developers.google.com/search/docs/appearance/site-names",
        required="name, url",
        recommended="alternateName",
    ),
    _feature(
        "Sitelinks search box",
        "WebSite",
        "https://developers.google.com/search/blog/2024/10/sitelinks-search-box",
        required="potentialAction.query-input, potentialAction.target, url",
        when="potentialAction",
        retired="2024-11-21",
    ),
    _feature(
        "Software app",
        "SoftwareApplication",
        "software-app",
        required="aggregateRating | review, name, offers, offers.price",
        recommended="applicationCategory, offers.priceCurrency, operatingSystem",
    ),
    _feature("Speakable", "Article, WebPage", "speakable", required="speakable.cssSelector | xpath", when="speakable"),
    _feature(
        "Special announcement",
        "SpecialAnnouncement",
        _JUNE_2025,
        required="datePosted, name, text",
        retired="2025-07-31",
    ),
    _feature(
        "Subscription and paywalled content",
        "CreativeWork",
        "paywalled-content",
        required="hasPart, hasPart.cssSelector, hasPart.isAccessibleForFree",
        without="WebPageElement",
        when="isAccessibleForFree = false",
    ),
    _feature(
        "Vacation rental",
        "VacationRental",
        "vacation-rental",
        required="containsPlace, containsPlace.occupancy, identifier, image >= 8, latitude | geo.latitude, longitude | "
        "geo.longitude, name",
        recommended="additionalType, address, aggregateRating, brand, checkinTime, checkoutTime, "
        "containsPlace.amenityFeature, containsPlace.bed, containsPlace.floorSize, "
        "containsPlace.numberOfBathroomsTotal, containsPlace.numberOfBedrooms, description, knowsLanguage, "
        "review",
    ),
    _feature(
        "Vehicle listing", "Car", _JUNE_2025, required="name, offers, vehicleIdentificationNumber", retired="2025-09-09"
    ),
    _feature(
        "Video",
        "VideoObject",
        "video",
        required="name, thumbnailUrl, uploadDate",
        recommended="contentUrl | embedUrl, description, duration, hasPart | potentialAction, interactionStatistic",
        anywhere=True,
    ),
)
