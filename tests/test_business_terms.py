"""Invoices in many languages: their numbers, dates and sums, by nothing but the names of the fields."""

from __future__ import annotations

from decimal import Decimal

import pytest

import paxman
from paxman.capabilities.business_terms import label_terms, read_terms
from paxman.capabilities.label_scan import scan
from paxman.contract.labels import compact_label
from paxman.documents.visual_lines import VisualLines

TYPES = {
    "invoice_number": "STRING",
    "issue_date": "DATE",
    "due_date": "DATE",
    "net_total": "MONEY",
    "tax_total": "MONEY",
    "grand_total": "MONEY",
}
CONTRACT = {
    "id": "invoice",
    "version": "1",
    "fields": [{"name": name, "type": of, "required": False} for name, of in TYPES.items()],
}
PAGES = {
    "Czech": """Faktura č. 1523
Datum vystavení: 15.01.2024
Datum splatnosti: 29.01.2024
Základ daně          1 000,00 Kč
DPH 21 %               200,00 Kč
Celkem k úhradě      1 200,00 Kč
""",
    "Slovak": """Faktúra č. 1523
Dátum vystavenia: 15.01.2024
Dátum splatnosti: 29.01.2024
Celkom bez DPH       1 000,00 EUR
DPH 20%                200,00 EUR
Celkom s DPH         1 200,00 EUR
""",
    "Turkish": """Fatura No: 1523
Fatura Tarihi: 15.01.2024
Son Ödeme Tarihi: 29.01.2024
Ara Toplam         1.000,00 TL
KDV (%20)            200,00 TL
Genel Toplam       1.200,00 TL
""",
    "Turkish, electronic": """Fatura No  1523
Düzenleme Tarihi  15.01.2024
Vade Tarihi  29.01.2024
Mal Hizmet Toplam Tutarı   ₺1.000,00
Hesaplanan KDV(%20)   ₺200,00
Ödenecek Tutar   ₺1.200,00
""",
    "Hungarian": """Számlaszám: 1523
Kelt: 2024.01.15.
Fizetési határidő: 2024.01.29.
Nettó összesen:  1 000,00 Ft
ÁFA 20%:  200,00 Ft
Fizetendő összesen:  1 200,00 Ft
""",
    "Romanian": """Factura nr. 1523
Data facturii: 15.01.2024
Data scadenței: 29.01.2024
Total fără TVA   1.000,00 lei
TVA 20%   200,00 lei
Total de plată   1.200,00 lei
""",
    "Greek": """Αριθμός τιμολογίου: 1523
Ημερομηνία έκδοσης: 15/01/2024
Ημερομηνία λήξης: 29/01/2024
Καθαρή αξία   1.000,00 €
ΦΠΑ 20%   200,00 €
Πληρωτέο ποσό   1.200,00 €
""",
    "Danish": """Faktura nr. 1523
Dato: 15.01.2024
Betalingsdato: 29.01.2024
Beløb ekskl. moms   1.000,00
Momsbeløb   200,00
Beløb inkl. moms   1.200,00
Valuta: DKK
""",
    "Norwegian": """Fakturanr 1523
Fakturadato 15.01.2024
Betalingsfrist 29.01.2024
Sum eks. mva   1 000,00
Merverdiavgift   200,00
Sum inkl. mva   1 200,00 NOK
""",
    "Finnish": """Laskunro 1523
Päiväys 15.1.2024
Eräpvm 29.1.2024
Yhteensä ilman ALV  1 000,00 €
Arvonlisävero  200,00 €
Laskun loppusumma  1 200,00 €
""",
    "Swedish": """Faktura nr 1523
Datum 2024-01-15
Förfaller 2024-01-29
Summa exkl. moms   1 000,00
Moms   200,00
Summa att betala   1 200,00 SEK
""",
    "Japanese": """請求書番号: 1523
請求日: 2024年1月15日
支払期日: 2024年1月29日
小計        ¥1,000
消費税(20%)  ¥200
合計        ¥1,200
""",
    "Chinese": """发票编号: 1523
日期: 2024-01-15
付款到期日: 2024-01-29
小计   1,000.00元
税额   200.00元
合计   1,200.00元
""",
    "Korean": """송장번호: 1523
발행일: 2024-01-15
납부기한: 2024-01-29
공급가액   1,000원
부가세   200원
합계금액   1,200원
""",
    "Arabic": """رقم الفاتورة: 1523
تاريخ الفاتورة: 15/01/2024
تاريخ الاستحقاق: 29/01/2024
المجموع الفرعي: 1,000.00 SAR
ضريبة القيمة المضافة: 200.00 SAR
الإجمالي: 1,200.00 SAR
""",
    "Hebrew": """חשבונית מס' 1523
תאריך: 15/01/2024
לתשלום עד: 29/01/2024
סכום ביניים: 1,000.00 ₪
מע"מ 20%: 200.00 ₪
סה"כ לתשלום: 1,200.00 ₪
""",
    "Russian": """Счет № 1523
Дата: 15.01.2024
Срок оплаты: 29.01.2024
Итого без НДС:  1 000,00 руб.
НДС 20%:  200,00 руб.
Всего к оплате:  1 200,00 руб.
""",
    "Croatian": """Račun br. 1523
Datum računa: 15.01.2024
Datum dospijeća: 29.01.2024
Osnovica   1.000,00 EUR
PDV 20%   200,00 EUR
Ukupno za platiti   1.200,00 EUR
""",
}
CURRENCIES = {
    "CZK": "Czech",
    "TRY": "Turkish; Turkish, electronic",
    "HUF": "Hungarian",
    "RON": "Romanian",
    "DKK": "Danish",
    "NOK": "Norwegian",
    "SEK": "Swedish",
    "JPY": "Japanese",
    "CNY": "Chinese",
    "KRW": "Korean",
    "SAR": "Arabic",
    "ILS": "Hebrew",
    "RUB": "Russian",
}


@pytest.mark.parametrize("language", PAGES)
def test_an_invoice_is_read_in_its_language(language: str) -> None:
    found = paxman.normalize(PAGES[language], CONTRACT)
    currency = next((code for code, names in CURRENCIES.items() if language in names.split("; ")), "EUR")
    values = [found[name].value for name in TYPES]
    assert list(map(str, values[:3])) == ["1523", "2024-01-15", "2024-01-29"]
    assert values[3:] == [paxman.Money(Decimal(amount), currency) for amount in (1000, 200, 1200)]


def test_common_words_of_one_language_are_no_labels_of_another() -> None:
    keys = {compact_label(word)[0] for word in ("c f", "p i", "lei")}
    assert keys.isdisjoint(label_terms())


def test_a_label_that_is_a_word_of_another_language_needs_its_number() -> None:
    assert [hit.terms[0] for hit in scan(VisualLines("di cui IVA 22,00\nCUI: 14399840"), ()).hits] == ["tax", "vat_id"]


def test_every_label_has_a_key() -> None:
    labels = [label for name in ("business_terms", "column_terms", "field_terms") for _, label in read_terms(name)]
    assert [label for label in labels if not all(compact_label(label))] == []


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("seller_vat_id", "CUI/CIF: 14399840", "14399840"),
        ("seller_vat_id", "ИНН/КПП 7707083893/773601001", "7707083893"),
        ("seller_vat_id", "ИНН/КПП: 7707083893/7736010012", None),
        ("buyer_name", "Buyer: Demir Konfeksiyon San. ve Tic. Ltd. Şti.", "Demir Konfeksiyon San. ve Tic. Ltd. Şti."),
        ("buyer_name", "Alıcı: DEMİR KONFEKSİYON LTD. ŞTİ.", "DEMİR KONFEKSİYON LTD. ŞTİ."),
    ],
)
def test_a_party_is_read_as_its_country_writes_it(name: str, text: str, value: str | None) -> None:
    wanted = {"id": "party", "version": "1", "fields": [{"name": name, "type": "STRING", "required": False}]}
    assert paxman.normalize(text, wanted)[name].value == value


def test_a_greek_tax_label_is_written_in_greek() -> None:
    field = {"name": "value", "type": "STRING", "required": False, "semantic_tags": ["tax_id"]}
    result = paxman.normalize("ΦΠΑ 094014201", {"id": "party", "version": "1", "fields": [field]})
    assert result["value"].value == "094014201"
