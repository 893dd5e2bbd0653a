"""What business papers are titled in many languages: alternatives of a pattern by kind, in a table for each issuer."""

from __future__ import annotations

SELLERS = {
    "invoice": (
        r"invoice|rechnung|fact(?:ure|ura|uur)|fattura|fatura|fakt[uú]ra?|faktuur|lasku|számla|račun|nota fiscal|boleta"
        r"|honorarnote"
    ),
    "credit": (
        r"credit (?:note|memo)|gutschrift|rechnungskorrektur|stornorechnung|(?:facture d['’])?avoir\b|note de crédit"
        r"|nota d[ei] cr[eé]dito|factura rectificativa|abono|credit ?nota|creditfactuur|faktura korygująca"
        r"|kreditnota|kreditfaktura|dobropis|hyvityslasku"
    ),
    "reminder": (
        r"(?:(?:payment|final|first|second|friendly|overdue) )?reminder|(?:\d\. ?|letzte )?mahnung|zahlungserinnerung"
        r"|rappel|relance|recordatorio|requerimiento de pago|sollecito|lembrete|(?:betalings)?herinnering|aanmaning"
        r"|wezwanie do zapłaty|przypomnienie|(?:betalnings|betalings)?påminnelse|rykker|purring|maksumuistutus|upomínka"
    ),
    "delivery": (
        r"(?:delivery|dispatch|despatch|advice|shipping) note|packing (?:slip|list)|lieferschein|bon de livraison"
        r"|bordereau(?: de livraison)?|albarán|nota de entrega|documento di trasporto|guia de remessa|pakbon"
        r"|leveringsbon|följesedel|følgeseddel|dodací list"
    ),
    "statement": (
        r"(?:(?:account|bank|customer|supplier|monthly) )?statement|kontoauszug|relevé|extracto|estado de cuenta"
        r"|estratto conto|extrato|rekeningafschrift|rekeningoverzicht|wyciąg|kontoutdrag|kontoutskrift|výpis z účtu"
        r"|offene posten(?:liste)?|open items"
    ),
    "confirmation": (
        r"confirmation|bestätigung|acknowledge?ment|confirmación|conferma|confirmação|bevestiging|potwierdzenie"
        r"|bekräftelse|bekræftelse|bekreftelse"
    ),
}
ANYONES = {
    "record": (
        r"certificate|zertifikat|bescheinigung|certificat|certificado|certificato|certificaat|report|bericht|rapport"
        r"|informe|rapporto|relatório|timesheet|time sheet|stundenzettel"
    ),
    "contract": r"contract|agreement|vertrag|contrat|contrato|contratto|overeenkomst|umowa",
    "complaint": r"complaint|reklamation|réclamation|reclamación|reclamo",
}
LAST_PARTS = (
    rf"{SELLERS['invoice']}|gutschrift|mahnung|lieferschein|bestätigung|bevestiging|bekräftelse|bekræftelse|bekreftelse"
    "|bericht|vertrag"
)
"""Titles that may end a longer word, as in "Schlussrechnung"."""
BUYERS = {
    "buyer": (
        "purchase order|einkaufsbestellung|orden de compra|pedido de compra|ordine di acquisto|ordine d'acquisto"
        "|ordine d' acquisto|ordine d’acquisto|ordine d’ acquisto|ordem de compra|inkooporder|zamówienie zakupu"
        "|inköpsorder|indkøbsordre|innkjøpsordre|ostotilaus|pesanan belian|pesanan pembelian|采购订单|採購單"
        "|注文書|発注書"
    ),
    "advice": "remittance advice|zahlungsavis|avis de virement",
    "firm": "bestellung",  # What a shop confirms to a person is called so, too.
    "order": (
        "order|bon de commande|commande|pedido|ordine|encomenda|bestelling|zamówienie|beställning|bestilling|tilaus"
        "|objednávka|rendelés"
    ),
}
"""Plain words, so that a text can be searched for them."""
