"""What a short line of print is likely to be: a company, a street, a contact, a title, a greeting.

Printed pages lose spaces ("TAXINVOICE", "GoldenArchesSdnBhd"), so nothing here relies on them.
"""

from __future__ import annotations

import re
from functools import lru_cache

_I = re.IGNORECASE
LONGEST = 120
"""Characters of a line that are looked at; names and streets are shorter."""

# Spelled so that it matches at the end of a name, with or without points and spaces.
_FORMS = (
    r"sdn\.? ?bhd|s/b|berhad|bhd|pte\.? ?ltd|pty\.? ?ltd|pvt\.? ?ltd|gmbh(?: ?& ?co\.?(?: ?kgaa| ?kg| ?ohg)?)?|mbh|kgaa|ag ?& ?co\.? ?kg"
    r"|incorporated|corporation|limited partnership|limited|ltd|s\.a\.r\.l|s\.r\.l|s\.p\.a|s\.r\.o|d\.o\.o|sp\. ?z ?o\.? ?o"
    r"|\(haftungsbeschränkt\)|株式会社|有限会社|股份有限公司|有限公司"
)
# These are words or initials of other things too, so they need a space before them.
_SPACED_FORMS = (
    r"inc|corp|company|co|l\.?l\.?c|l\.?l\.?p|plc|p\.l\.c|p/l|a\.g|e\.k|e\.kfr|e\.v|sarl|sas|s\.a\.s|eurl|sasu|srl|spa|s\.n\.c|s\.l\.u|s\.l"
    r"|s\.a\.u|s\.a|s\.a\. de c\.v|b\.v|n\.v|v\.o\.f|oyj|a/s|aps|a\.s|s\.c|kft|zrt|ltda|lda|eireli|s/a|l\.p"
)
# And these, short words of many languages, need capitals as well.
_CAPITAL_FORMS = r"AG|KG|AB|AS|BV|NV|SA|SL|SB|LP|OHG|UG|SE|KK|CV|eK|eG|Oy|OY"
_LEGAL_FORM = re.compile(
    rf"(?:(?<=[\w.,)&'’ ])(?:{_FORMS})|(?<=[ ,.)])(?:{_SPACED_FORMS})|(?<=[ ,.)])(?-i:{_CAPITAL_FORMS}))(?![^\W_])\.?", _I
)
_ONLY_FORM = re.compile(rf"(?:{_FORMS}|{_SPACED_FORMS}|(?-i:{_CAPITAL_FORMS}))\.?\Z", _I)
_LEADING_FORM = re.compile(r"(?:PT|CV|UD|株式会社|有限会社)[ .]{0,2}[^\W\d_]")

_TRADE = re.compile(
    r"enterprise|trading|trade|restau?rant|restoran|restorante|ristorante|store|mart\b|market|supermarket|hypermarket|bakery|bakeries"
    r"|caf[eé]|coffee|kopitiam|pharmac|farmasi|apotheke|pharmacie|farmacia|hotel|hardware|stationer|marketing|services?\b|industr"
    r"|grill|bistro|kitchen|pizz|burger|sushi|noodle|steak|bbq|\bbar\b|\bpub\b|tavern|diner|deli\b|seafood|buffet|\binn\b|cuisine"
    r"|boutique|fashion|books|electronics?\b|electrical|motors?\b|auto\b|petrol|station\b|shop|outlet|wholesale|grocer|gift"
    r"|holdings|group|partners|bank\b|insurance|versicherung|gaststätte|bäckerei|metzgerei|confectioner|catering|perniagaan|kedai|syarikat"
    r"|warehouse|depot|salon|clinic|studio|museum|theatre|cinema|airlines?|hospital|university|brasserie|trattoria|osteria|panader|bodega",
    _I,
)

_TITLE_WORDS = (
    r"full|simplified|official|original|duplicate|customers?|merchant|guest|check|cheque|tax|cash|credit|debit|sales?|retail|delivery|order"
    r"|inv[o0][il1]ces?|receipts?|gift|bills?|memo|slip|copy|reprint|re|print|kopie|rechnung|quittung|kassenbon|bon|beleg|facture|re[cç]u|ticket"
    r"|factura|simplificada|recibo|fattura|ricevuta|scontrino|fiscale|resit|invois|cukai|struk|nota|gst|vat|details?|billing|checkout|retained|closed"
    r"|payment|statement|transaction|record|void|sample|proforma|pro|forma|notes?|page|seite|logo|no|the|and|of|for|your|only|dine|in|take|away|out|to|go|eat|bar|table"
)
_TITLE = re.compile(rf"(?:(?:{_TITLE_WORDS})[\W\d_]{{0,6}}){{1,6}}\Z", _I)
_GREETING = re.compile(
    r"welcome|thank|thx|tq\b|terima ?kasih|selamat|have ?a|please|visit|bienvenue|merci|willkommen|vielen ?dank|gracias|bienvenid|grazie"
    r"|obrigad|dank|open ?(?:daily|24)|hours|customer ?(?:service|care|copy)|how (?:was|did|are)|tell us|survey|feedback|where |home of|since",
    _I,
)
_FORMERLY = re.compile(r"formerly|f/k/a|f\.k\.a|previously|licensee|franchise|dahulu|vormals|anciennement|managed by|trading as|operated", _I)
_REGISTRATION = re.compile(
    r"\b(?:co|comp(?:any)?|reg(?:istration)?|roc|rob|brn|gst|sst|vat|tax|ust|uid|tva|siret|siren|ape|rcs|cif|nif|iva|abn|acn|ein|npwp|nip|btw|kvk|hrb|hra|ssm"
    r"|steuer(?:nummer)?|st\.?-?nr|handelsregister|amtsgericht|registergericht|company|gln|gtin)\b[^\n]{0,28}\d",
    _I,
)
_REGISTRATION_RUN = re.compile(r"(?:ABN|GST|VAT|TVA|CIF|NIF|CUIT|CNPJ|P\.?IVA)\W{0,3}[A-Z]?\d{5}", _I)
REGISTRATION_NUMBER = re.compile(r"(?:\A|(?<=\s)|(?=\())\(? ?(?:co\.?[ .]*(?:no|reg)?[.: ]*)?[A-Z]{0,2}\d{4,12}[-. ]{0,2}[A-Z0-9]{0,2} ?\)?\.?\Z", _I)
_CONTACT = re.compile(
    r"(?:\btel|\bfon|phone|\bfax|\bph\b|mobile?\b|hotline|h/p|whatsapp|\bcall\b|e-?mail|@[\w-]{1,60}\.|www\.|https?:|\.com\b|\.net\b|\.org\b|[☎✉✆�])"
    r"|\A\W{0,3}(?:\+?\d{1,4}[-. )/]{1,3})?\(?\d{2,5}\)?[-. /]{1,3}\d{3,4}[-. ]?\d{3,5}\b",
    _I,
)
_CONTACT_LABEL = re.compile(r"\b(?:tel|telephone|phone|fon|fax|ph|hp|h/p|mobile?|hotline|e-?mail|website|web|url|gst|sst|vat|tax|roc|reg)\b[ .]{0,2}(?:no|id|reg)?[ .]{0,2}[:：]|\btel\b ?[.:#+(\d]|(?:tel|fax|phone) ?(?:no)?[.:]{1,2}", _I)
_MOMENT = re.compile(r"\b(?:[0-3]?\d|(?:19|20)\d\d)[-/.][0-3]?\d[-/.](?:[0-3]\d|(?:19|20)?\d\d)\b|(?<!\d)\d{1,2}:\d{2}(?!\d)|\b\d{1,2}[- ]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[- ,]{0,2}\d{2,4}\b", _I)
_LABEL = re.compile(
    r"[^\W\d_][^:\n]{0,40}[:：]|(?:order|check|chk|ticket|table|invoice|receipt|trans\w{0,8}|register|reg|terminal|server|guests?|bill|no|st|cashier|member) ?#", _I
)
_PRICE = re.compile(r"(?:\A|[\s$€£¥])[-(]?\d{1,3}(?:[ ,.']?\d{3})*[.,]\d{2}\b(?!\.\d)")

_STREET = re.compile(
    r"\b(?:jalan|jln|jin\b|lorong|lrg|lot\b|taman|tmn|kampung|kg\b|bandar|persiaran|lebuh(?:raya)?|lebuhraya|medan|seksyen|sek\b|batu\b|km\b|kawasan|wisma"
    r"|bangunan|menara|pusat|desa\b|street|road|avenue|ave\b|blvd|boulevard|drive|lane|highway|hwy|suite|ste\b|floor|flr|level|unit\b|block|blok|bldg|building"
    r"|plaza|mall\b|centre|center|complex|kompleks|tower|square|park\b|industrial|p\.?o\.? ?box|postfach|boite postale|bp \d|apartado"
    r"|rue\b|chemin|impasse|quai|cours|route|calle|c/|avda|avenida|plaza|paseo|via\b|viale|piazza|corso|rua\b|travessa|largo|ulica|ul\.|al\.|camino)"
    r"|stra(?:ß|ss)e\b|str\.|weg \d|platz \d|allee \d|gasse \d|ring \d|damm \d|straat|laan \d|plein"
    r"|\b(?:st|rd|dr|ln|pl|pkwy|ct|cir|way)\b\.?(?:,|\Z| (?:n|s|e|w|ne|nw|se|sw)\b)",
    _I,
)
_HOUSE_NUMBER = re.compile(r"(?:no\.?|lot|unit|nr\.?|#) {0,2}[.:]? ?[A-Z]{0,3}[-.]?\d|\d{1,5}[A-Z]?(?:[-&/,]\d{0,5}[A-Z]?){0,4}[, ]", _I)
_STREET_RUN = re.compile(r"\d{1,5}[A-Z]{1,2}?[A-Za-z.]{2,40}(?:st|street|rd|road|ave|avenue|blvd|dr|drive|ln|lane|way|hwy|pkwy|pl|plaza|court|ct|suite\w*)\b\.?", _I)
POSTAL = re.compile(
    r"(?<!\d)(?:[A-Z]{1,3}[- ])?\d{5,6}(?:-\d{3,4})?(?![\d/])[ ,.]{0,2}(?=[A-ZÀ-Þ][^\W\d_]|\(|\Z)"
    r"|(?:[A-Z]{2})[ .,]{0,2}\d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|(?<!\d)(?:A|CH|B|L|DK|N|NL)[- ]\d{4}\b"
    r"|\b\d{4} ?[A-Z]{2} [A-Z]"
)
_CITY_STATE = re.compile(r"[^\W\d_][^\d,]{2,30}, ?[A-Z]{2}\.?\Z")


@lru_cache(maxsize=4096)
def legal_end(text: str) -> int:
    """Where a name with a legal form ends, or 0: "Acme Ltd (123456-X)" ends after "Ltd"."""
    head = text[:LONGEST]
    ends = [match.end() for match in _LEGAL_FORM.finditer(head) if letters(head[: match.start()]) > 1]
    if not ends:
        return len(head) if _LEADING_FORM.match(head) else 0
    end = ends[0]
    for later in ends[1:]:
        if _NUMBERED.match(head, end) or later - end > 24:
            break
        end = later
    return end


_NUMBERED = re.compile(r"[ ,]{0,3}\(?[^()]{0,12}\d")


def form_start(text: str) -> int:
    """Where the legal form of a name begins, or the end of the text."""
    match = _LEGAL_FORM.search(text[:LONGEST])
    return match.start() if match else len(text)


def is_legal_form(text: str) -> bool:
    """Whether a line holds nothing but a legal form: the end of a name that was broken."""
    return _ONLY_FORM.match(text.strip(" ()")) is not None


def names_trade(text: str) -> bool:
    """Whether a word such as "restaurant" or "trading" stands in the line."""
    return _TRADE.search(text[:LONGEST]) is not None


def is_title(text: str) -> bool:
    """The kind of paper, not a name: "TAX INVOICE", "Customer Copy"."""
    return len(text) < 60 and _TITLE.match(text.lstrip(" -*=<#[(_.~:")) is not None


def is_greeting(text: str) -> bool:
    return _GREETING.match(text.lstrip(" -*=<!~\"'")[:40]) is not None


def tells_past(text: str) -> bool:
    """Whether the line, or the next, names someone other than who issued: formerly, licensee of."""
    return _FORMERLY.search(text[:LONGEST]) is not None


@lru_cache(maxsize=4096)
def is_registration(text: str) -> bool:
    head = text[:LONGEST]
    return bool(_REGISTRATION.search(head) or _REGISTRATION_RUN.match(head) or is_registration_number(head))


def is_registration_number(text: str) -> bool:
    """A company number alone: "(519537-X)"."""
    return REGISTRATION_NUMBER.match(text.strip()) is not None


def is_contact(text: str) -> bool:
    return _CONTACT.search(text[:LONGEST]) is not None


def contact_start(text: str) -> int:
    """Where phone, web or tax details begin in a line, or its length."""
    match = _CONTACT_LABEL.search(text[: 2 * LONGEST])
    return match.start() if match else len(text)


def is_moment(text: str) -> bool:
    """Whether a date or a time stands in the line."""
    return _MOMENT.search(text[:LONGEST]) is not None


def is_labelled(text: str) -> bool:
    """Whether the line begins with a label: "Cashier: 3"."""
    return _LABEL.match(text[:LONGEST]) is not None


def has_price(text: str) -> bool:
    return _PRICE.search(text[-LONGEST:]) is not None


def has_postal_code(text: str) -> bool:
    return postal_end(text) > 0


@lru_cache(maxsize=4096)
def postal_end(text: str) -> int:
    """Where a postal code ends, or 0; the number of a lot, box or company is none."""
    for match in POSTAL.finditer(text[:LONGEST]):
        if not _PLOT.search(text, max(0, match.start() - 10), match.start()):
            return match.end()
    return 0


_PLOT = re.compile(r"(?:lot|p\. ?t|pt|no|nr|box|unit|suite|#)[ .:]{0,3}\(?\Z|\(\Z", _I)


@lru_cache(maxsize=4096)
def is_street(text: str) -> bool:
    """Whether a line looks like part of a postal address."""
    head = text[:LONGEST].strip(" ()-*")
    if _STREET.search(head) or has_postal_code(head) or _CITY_STATE.match(head):
        return True
    return bool(_HOUSE_NUMBER.match(head) and letters(head) > 3) or _STREET_RUN.match(head) is not None


def is_numbered(text: str) -> bool:
    """Whether a line begins as the number of a house, unit or lot does."""
    return _HOUSE_NUMBER.match(text.lstrip(" (")) is not None


def letters(text: str) -> int:
    return sum(map(str.isalpha, text[:LONGEST]))
