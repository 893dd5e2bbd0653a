"""Whole papers in many languages, with contracts that name their fields and little else: every value, or none."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

import paxman
from paxman.types import Money

PAPERS: dict[str, tuple[str, list[tuple[dict[str, Any], object]]]] = {
    "French invoice": (
        """
SARL Boulangerie Perrin                               FACTURE
18 rue des Tanneurs                                   N° F2024-338
69005 Lyon                                            Date : 07/06/2024
SIRET 812 345 678 00019
TVA intracommunautaire FR40303265045

                                          Client :
                                          Hôtel Bellecour
                                          4 place Bellecour
                                          69002 Lyon

Désignation                       Qté      PU HT       Montant HT
Baguette tradition                 120       0,95         114,00
Croissant beurre                    80       0,90          72,00

                                   Total HT              186,00 €
                                   TVA 5,5 %              10,23 €
                                   Total TTC             196,23 €
                                   Acompte versé          50,00 €
                                   Net à payer           146,23 €

Règlement à réception. Échéance : 22/06/2024
""",
        [
            ({"name": "numero_facture", "type": "STRING"}, "F2024-338"),
            ({"name": "date_facture", "type": "DATE"}, date(2024, 6, 7)),
            ({"name": "fournisseur", "type": "STRING"}, "SARL Boulangerie Perrin"),
            ({"name": "client", "type": "STRING"}, "Hôtel Bellecour"),
            ({"name": "total_ht", "type": "MONEY"}, Money(Decimal("186.00"), "EUR")),
            ({"name": "total_tva", "type": "MONEY"}, Money(Decimal("10.23"), "EUR")),
            ({"name": "total_ttc", "type": "MONEY"}, Money(Decimal("196.23"), "EUR")),
            ({"name": "net_a_payer", "type": "MONEY"}, Money(Decimal("146.23"), "EUR")),
            ({"name": "date_echeance", "type": "DATE"}, date(2024, 6, 22)),
            ({"name": "acompte", "type": "MONEY"}, Money(Decimal("50.00"), "EUR")),
            ({"name": "numero_commande", "type": "STRING"}, None),
        ],
    ),
    "Spanish invoice": (
        """
FERRETERÍA DEL NORTE, S.L.
C/ Gran Vía, 22
48001 Bilbao                                   FACTURA
C.I.F. B95123458                               Nº: 2024/0457
                                               Fecha: 3 de abril de 2024

Cliente: Talleres Ugarte S.A.
N.I.F.: A48234567
Dirección: Polígono Zabal, nave 4, 48960 Galdakao

Cant.   Concepto                      Precio      Importe
25      Tornillo M8 caja 100            6,40       160,00
3       Taladro percutor               89,90       269,70

Base imponible        429,70 €
IVA 21%                90,24 €
TOTAL FACTURA         519,94 €

Forma de pago: transferencia. Vencimiento: 03/05/2024
""",
        [
            ({"name": "numero_factura", "type": "STRING"}, "2024/0457"),
            ({"name": "fecha", "type": "DATE"}, date(2024, 4, 3)),
            ({"name": "proveedor", "type": "STRING"}, "FERRETERÍA DEL NORTE, S.L."),
            ({"name": "cliente", "type": "STRING"}, "Talleres Ugarte S.A."),
            ({"name": "base_imponible", "type": "MONEY"}, Money(Decimal("429.70"), "EUR")),
            ({"name": "iva", "type": "MONEY"}, Money(Decimal("90.24"), "EUR")),
            ({"name": "total", "type": "MONEY"}, Money(Decimal("519.94"), "EUR")),
            ({"name": "vencimiento", "type": "DATE"}, date(2024, 5, 3)),
            ({"name": "forma_de_pago", "type": "STRING"}, "transferencia"),
            ({"name": "fecha_entrega", "type": "DATE"}, None),
        ],
    ),
    "Polish invoice": (
        """
                                    FAKTURA VAT nr FV/112/04/2024
Data wystawienia: 2024-04-09                       Miejsce: Kraków
Data sprzedaży: 2024-04-08
Termin płatności: 2024-04-23                       Sposób zapłaty: przelew

Sprzedawca                               Nabywca
Hurtownia Wisła Sp. z o.o.               Zakład Stolarski Nowak
ul. Krótka 5                             ul. Leśna 12
30-123 Kraków                            32-020 Wieliczka
NIP: 6762484561                          NIP: 6831234567

Lp.  Nazwa towaru        Ilość  J.m.  Cena netto   Wartość netto  VAT   Wartość brutto
1    Deska sosnowa 2m      30   szt.      18,50          555,00   23%          682,65
2    Klej stolarski 5l      4   szt.      64,00          256,00   23%          314,88

Razem netto: 811,00 zł
Kwota VAT: 186,53 zł
Do zapłaty: 997,53 zł
Słownie: dziewięćset dziewięćdziesiąt siedem 53/100
""",
        [
            ({"name": "numer_faktury", "type": "STRING"}, "FV/112/04/2024"),
            ({"name": "data_wystawienia", "type": "DATE"}, date(2024, 4, 9)),
            ({"name": "data_sprzedazy", "type": "DATE"}, date(2024, 4, 8)),
            ({"name": "termin_platnosci", "type": "DATE"}, date(2024, 4, 23)),
            ({"name": "sprzedawca", "type": "STRING"}, "Hurtownia Wisła Sp. z o.o."),
            ({"name": "nabywca", "type": "STRING"}, "Zakład Stolarski Nowak"),
            ({"name": "razem_netto", "type": "MONEY"}, Money(Decimal("811.00"), "PLN")),
            ({"name": "kwota_vat", "type": "MONEY"}, Money(Decimal("186.53"), "PLN")),
            ({"name": "do_zaplaty", "type": "MONEY"}, Money(Decimal("997.53"), "PLN")),
            ({"name": "sposob_zaplaty", "type": "STRING"}, "przelew"),
        ],
    ),
    "Swedish invoice": (
        """
Fjällstugan AB                                        Faktura
Box 112
831 22 Östersund

Fakturanummer        30417            Fakturadatum      2024-01-31
Kundnummer           1182             Förfallodatum     2024-03-01
OCR                  304171182        Er referens       Karin Lund

Bergs Bygg AB
Industrivägen 4
840 40 Svenstavik

Benämning                      Antal    À-pris      Belopp
Uthyrning stuga v.4               1    4 800,00   4 800,00
Städning                          1      650,00     650,00

Summa exkl. moms                                  5 450,00
Moms 12%                                            654,00
Att betala SEK                                    6 104,00

Bankgiro 5050-1055    Org.nr 556036-0793
""",
        [
            ({"name": "fakturanummer", "type": "STRING"}, "30417"),
            ({"name": "fakturadatum", "type": "DATE"}, date(2024, 1, 31)),
            ({"name": "forfallodatum", "type": "DATE", "labels": ["Förfallodatum"]}, date(2024, 3, 1)),
            ({"name": "kundnummer", "type": "STRING"}, "1182"),
            ({"name": "saljare", "type": "STRING", "labels": ["Säljare"], "tags": ["organization"]}, "Fjällstugan AB"),
            ({"name": "att_betala", "type": "MONEY"}, Money(Decimal("6104.00"), "SEK")),
            ({"name": "moms", "type": "MONEY"}, Money(Decimal("654.00"), "SEK")),
            ({"name": "er_referens", "type": "STRING"}, "Karin Lund"),
            ({"name": "bankgiro", "type": "STRING"}, "5050-1055"),
            ({"name": "ocr", "type": "STRING"}, "304171182"),
        ],
    ),
    "Dutch offer": (
        """
Installatiebedrijf Visser                      Offerte
Havenkade 12                                   Offertenummer: OF-2024-61
1973 AC IJmuiden                               Datum: 5 november 2024
                                               Geldig tot: 5 december 2024
T.a.v. mevrouw De Wit
Zeeweg 88
1971 HC IJmuiden

Omschrijving                               Bedrag
CV-ketel HR 28 kW inclusief montage     € 2.150,00
Afvoeren oude ketel                     €    75,00

Totaal excl. btw                        € 2.225,00
Btw 21%                                 €   467,25
Totaal incl. btw                        € 2.692,25

Levertijd: 3 weken
""",
        [
            ({"name": "offertenummer", "type": "STRING"}, "OF-2024-61"),
            ({"name": "datum", "type": "DATE"}, date(2024, 11, 5)),
            ({"name": "geldig_tot", "type": "DATE"}, date(2024, 12, 5)),
            ({"name": "totaal_incl_btw", "type": "MONEY"}, Money(Decimal("2692.25"), "EUR")),
            ({"name": "totaal_excl_btw", "type": "MONEY"}, Money(Decimal("2225.00"), "EUR")),
            ({"name": "btw", "type": "MONEY"}, Money(Decimal("467.25"), "EUR")),
            ({"name": "levertijd", "type": "STRING"}, "3 weken"),
            ({"name": "vervaldatum", "type": "DATE"}, None),
        ],
    ),
    "Italian payslip": (
        """
BUSTA PAGA                                    Mese: Aprile 2024
Azienda: Tessitura Lario S.r.l.               Codice fiscale 01987650134
Dipendente: Giulia Ferri                      Matricola: 00214
Qualifica: Impiegata                          Data assunzione: 02/11/2015

Retribuzione lorda                            1.985,40
Contributi INPS                                 182,45
IRPEF                                           241,10
Totale trattenute                               423,55
NETTO IN BUSTA                          €     1.561,85
""",
        [
            ({"name": "dipendente", "type": "STRING"}, "Giulia Ferri"),
            ({"name": "matricola", "type": "STRING"}, "00214"),
            ({"name": "qualifica", "type": "STRING"}, "Impiegata"),
            ({"name": "data_assunzione", "type": "DATE"}, date(2015, 11, 2)),
            ({"name": "retribuzione_lorda", "type": "MONEY"}, Money(Decimal("1985.40"), "EUR")),
            ({"name": "totale_trattenute", "type": "MONEY"}, Money(Decimal("423.55"), "EUR")),
            ({"name": "netto_in_busta", "type": "MONEY"}, Money(Decimal("1561.85"), "EUR")),
            ({"name": "azienda", "type": "STRING"}, "Tessitura Lario S.r.l."),
            ({"name": "straordinari", "type": "MONEY"}, None),
        ],
    ),
    "Portuguese water bill": (
        """
Águas do Mondego, S.A.
Fatura n.º 2024 0099812                     Data da fatura: 10/09/2024
N.º de cliente: 770 1123                    Data limite de pagamento: 30/09/2024

João Martins
Rua da Sé 45, 2.º Esq
3000-213 Coimbra

Período de faturação: 06/08/2024 a 05/09/2024
Leitura anterior: 331 m3
Leitura atual: 346 m3
Consumo: 15 m3

Água                          11,85
Saneamento                     9,40
IVA 6%                         1,28
Total a pagar                 22,53 €
""",
        [
            ({"name": "invoice_number", "type": "STRING"}, "2024 0099812"),
            ({"name": "invoice_date", "type": "DATE"}, date(2024, 9, 10)),
            ({"name": "due_date", "type": "DATE"}, date(2024, 9, 30)),
            ({"name": "customer_number", "type": "STRING"}, "770 1123"),
            ({"name": "amount_due", "type": "MONEY"}, Money(Decimal("22.53"), "EUR")),
            ({"name": "tax", "type": "MONEY"}, Money(Decimal("1.28"), "EUR")),
            ({"name": "seller_name", "type": "STRING"}, "Águas do Mondego, S.A."),
            ({"name": "consumo", "type": "DECIMAL"}, Decimal("15")),
            ({"name": "period_start", "type": "DATE"}, date(2024, 8, 6)),
            ({"name": "period_end", "type": "DATE"}, date(2024, 9, 5)),
        ],
    ),
    "German receipt": (
        """
        REWO Markt Berger
        Hauptstr. 5, 86150 Augsburg
        UID Nr.: DE812345672

 BIO MILCH 3,5%              1,29 B
 VOLLKORNBROT                2,79 B
 SPÜLMITTEL                  1,95 A
 PFAND                       0,25 A
 ----------------------------------
 SUMME            EUR        6,28
 Geg. BAR         EUR       10,00
 Rückgeld BAR     EUR        3,72

 Steuer  %     Netto    Steuer   Brutto
 A= 19,0%       1,85      0,35     2,20
 B=  7,0%       3,81      0,27     4,08
 Gesamtbetrag   5,66      0,62     6,28

 Datum 12.08.2024  Uhrzeit 17:22  Bon-Nr. 7741
""",
        [
            ({"name": "haendler", "type": "STRING", "labels": ["Händler"]}, "REWO Markt Berger"),
            ({"name": "datum", "type": "DATE"}, date(2024, 8, 12)),
            ({"name": "summe", "type": "MONEY"}, Money(Decimal("6.28"), "EUR")),
            ({"name": "steuer", "type": "MONEY"}, Money(Decimal("0.62"), "EUR")),
            ({"name": "bon_nr", "type": "STRING"}, "7741"),
            ({"name": "rueckgeld", "type": "MONEY", "labels": ["Rückgeld"]}, Money(Decimal("3.72"), "EUR")),
            ({"name": "trinkgeld", "type": "MONEY"}, None),
        ],
    ),
    "German payslip": (
        """
Verdienstabrechnung für Juni 2024                  Metallbau Kern GmbH

Personal-Nr.: 0047      Eintritt: 01.03.2019     Steuerklasse: 3
Name: Jürgen Albrecht   Geburtsdatum: 14.11.1978
Krankenkasse: AOK Bayern

Bruttolohn                                     3.420,00
Lohnsteuer                             248,16
Krankenversicherung                    278,73
Rentenversicherung                     318,06
Gesamtabzüge                                     844,95
Auszahlungsbetrag EUR                          2.575,05
""",
        [
            ({"name": "name", "type": "STRING"}, "Jürgen Albrecht"),
            ({"name": "personalnummer", "type": "STRING"}, "0047"),
            ({"name": "eintritt", "type": "DATE"}, date(2019, 3, 1)),
            ({"name": "geburtsdatum", "type": "DATE"}, date(1978, 11, 14)),
            ({"name": "steuerklasse", "type": "INTEGER"}, 3),
            ({"name": "bruttolohn", "type": "MONEY"}, Money(Decimal("3420.00"), "EUR")),
            ({"name": "lohnsteuer", "type": "MONEY"}, Money(Decimal("248.16"), "EUR")),
            ({"name": "auszahlungsbetrag", "type": "MONEY"}, Money(Decimal("2575.05"), "EUR")),
            ({"name": "krankenkasse", "type": "STRING"}, "AOK Bayern"),
            ({"name": "arbeitgeber", "type": "STRING", "tags": ["organization"]}, "Metallbau Kern GmbH"),
            ({"name": "austritt", "type": "DATE"}, None),
        ],
    ),
    "English energy bill": (
        """
Severn Valley Energy                         Your electricity bill
Customer service 0330 123 4000
                                     Account number   8500 2217 4403
Ms R Patel                           Bill date        6 February 2024
19 Orchard Way                       Bill period      1 Nov 2023 - 31 Jan 2024
Gloucester GL2 0XX                   Meter number     S18K 04417

Previous reading    14,220 kWh
Current reading     15,187 kWh
Units used             967 kWh

Your charges
Electricity 967 kWh at 27.35p per kWh            £264.47
Standing charge 92 days at 53.60p per day         £49.31
VAT at 5%                                         £15.69
Total charges this period                        £329.47
Previous balance                                 £101.20
Payments received - thank you                   -£101.20
Amount due                                       £329.47
Please pay by 20 February 2024
""",
        [
            ({"name": "account_number", "type": "STRING"}, "8500 2217 4403"),
            ({"name": "bill_date", "type": "DATE"}, date(2024, 2, 6)),
            ({"name": "due_date", "type": "DATE"}, date(2024, 2, 20)),
            ({"name": "amount_due", "type": "MONEY"}, Money(Decimal("329.47"), "GBP")),
            ({"name": "vat", "type": "MONEY"}, Money(Decimal("15.69"), "GBP")),
            ({"name": "current_reading", "type": "DECIMAL"}, Decimal("15187")),
            ({"name": "previous_reading", "type": "DECIMAL"}, Decimal("14220")),
            ({"name": "units_used", "type": "DECIMAL"}, Decimal("967")),
            ({"name": "meter_number", "type": "STRING"}, "S18K 04417"),
            ({"name": "supplier", "type": "STRING"}, "Severn Valley Energy"),
            ({"name": "previous_balance", "type": "MONEY"}, Money(Decimal("101.20"), "GBP")),
            ({"name": "period_start", "type": "DATE"}, date(2023, 11, 1)),
            ({"name": "period_end", "type": "DATE"}, date(2024, 1, 31)),
            ({"name": "contract_end_date", "type": "DATE"}, None),
        ],
    ),
    "English remittance advice": (
        """
REMITTANCE ADVICE

From: Talbot Engineering plc            Payment date: 31 May 2024
To:   Kestrel Tools Ltd                 Payment reference: BACS 771204
                                        Payment method: BACS

Invoice      Date          Amount      Discount     Paid
KT-1180      03/04/2024    1,250.00       0.00     1,250.00
KT-1192      17/04/2024      480.50      12.01       468.49
                                       Total paid  £1,718.49
""",
        [
            ({"name": "payment_date", "type": "DATE"}, date(2024, 5, 31)),
            ({"name": "payment_reference", "type": "STRING"}, "BACS 771204"),
            ({"name": "payment_method", "type": "STRING"}, "BACS"),
            ({"name": "total_paid", "type": "MONEY"}, Money(Decimal("1718.49"), "GBP")),
            ({"name": "due_date", "type": "DATE"}, None),
            ({"name": "invoice_number", "type": "STRING"}, None),
        ],
    ),
    "American invoice": (
        """
Bright Path Consulting, LLC
1200 W 7th St, Suite 300
Los Angeles, CA 90017
billing@brightpath.example                                  INVOICE

Bill To:                      Ship To:                 Invoice #:   BP-3307
Redwood Dental Group          same                     Date:        11/04/2024
55 Pine Ave                                            Due Date:    12/04/2024
Fresno, CA 93701                                       Terms:       Net 30

Description                              Hours      Rate       Amount
Process review                            12.5    160.00     2,000.00
On-site training                           6.0    160.00       960.00

                                              Subtotal      $2,960.00
                                              Sales tax (0%)    $0.00
                                              Total         $2,960.00
                                              Amount paid     $500.00
                                              Balance due   $2,460.00
""",
        [
            ({"name": "invoice_number", "type": "STRING"}, "BP-3307"),
            ({"name": "invoice_date", "type": "DATE"}, date(2024, 11, 4)),
            ({"name": "due_date", "type": "DATE"}, date(2024, 12, 4)),
            ({"name": "vendor", "type": "STRING"}, "Bright Path Consulting, LLC"),
            ({"name": "bill_to", "type": "STRING"}, "Redwood Dental Group"),
            ({"name": "subtotal", "type": "MONEY"}, Money(Decimal("2960.00"), "USD")),
            ({"name": "total", "type": "MONEY"}, Money(Decimal("2960.00"), "USD")),
            ({"name": "balance_due", "type": "MONEY"}, Money(Decimal("2460.00"), "USD")),
            ({"name": "terms", "type": "STRING"}, "Net 30"),
            ({"name": "amount_paid", "type": "MONEY"}, Money(Decimal("500.00"), "USD")),
            ({"name": "tax", "type": "MONEY"}, Money(Decimal("0.00"), "USD")),
            ({"name": "po_number", "type": "STRING"}, None),
        ],
    ),
}


@pytest.mark.parametrize("title", PAPERS)
def test_every_field_of_a_paper(title: str) -> None:
    text, fields = PAPERS[title]
    contract = {"id": "c", "version": "1", "fields": [{"required": False, **field} for field, _ in fields]}
    found = paxman.normalize(text, contract)
    assert {field["name"]: found[field["name"]].value for field, _ in fields} == {f["name"]: v for f, v in fields}
