"""The words that business papers use for what contracts commonly ask for, in many languages.

One line a language: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Nordic, Malay and
Indonesian, Chinese and Japanese. `#` stands for every word for "number".
"""

from __future__ import annotations

from functools import lru_cache

from paxman.contract.labels import compact_label
from paxman.currencies import MINOR_UNITS
from paxman.contract.model import CanonicalField

_TERMS = {
    "invoice_number": """
invoice # | invoice id | inv # | invoice | tax invoice # | tax invoice | bill # | bill ref | receipt # | rcpt # | document # | doc # | reference invoice | credit note # | ticket # | slip # | check #
rechnungsnummer | rechnung # | re # | rechnung | handelsrechnung | belegnummer | beleg # | bon # | gutschrift # | gutschrift | quittung #
facture # | facture | numéro de facture | avoir # | ticket de caisse #
factura # | factura | número de factura | recibo # | albarán #
fattura # | fattura | numero fattura | numero di fattura | documento # | scontrino #
fatura # | fatura | número da fatura | nota fiscal # | nota fiscal
factuurnummer | factuur # | factuur | bonnummer
numer faktury | faktura # | faktura | faktura vat # | faktura vat | paragon #
fakturanummer | fakturanr | laskun numero | kvittonummer
no invois | invois # | nomor faktur | faktur # | no resit | resit # | nombor invois
发票号码 | 发票号 | 請求書番号 | 請求番号 | 发票代码 | 伝票番号""",
    "order_number": """
order # | order / rev | order rev | po # | p.o. # | purchase order # | purchase order | order id | sales order # | so # | your order | order reference | buyer reference
bestellnummer | bestell # | auftragsnummer | auftrag # | bestellung # | ihre bestellung
commande # | bon de commande # | numéro de commande | référence commande
pedido # | número de pedido | orden de compra #
ordine # | numero ordine | vostro ordine
encomenda # | número do pedido
bestelnummer | ordernummer | uw ordernummer
numer zamówienia | zamówienie #
ordernr | beställningsnummer | bestillingsnummer | ordrenummer | tilausnumero
no pesanan | nomor pesanan | pesanan #
订单号 | 注文番号""",
    "contract_number": """
contract # | contract id | contract | contract / revision | agreement # | contract / order #
vertragsnummer | vertrag #
contrat # | numéro de contrat
contrato # | número de contrato
contratto # | numero contratto
número do contrato
contractnummer | contract nummer
numer umowy | umowa #
avtalsnummer | kontraktnummer | sopimusnumero
no kontrak | nomor kontrak
合同编号 | 合同号 | 契約番号""",
    "customer_number": """
customer # | customer id | client # | client id | account # | acct # | member # | membership # | member id | cust #
kundennummer | kunden # | kdnr | debitorennummer | debitor # | mitgliedsnummer
client # | numéro client | numéro de client | code client | compte client
cliente # | número de cliente | código cliente
codice cliente | numero cliente
código do cliente | número do cliente
klantnummer | debiteurnummer | relatienummer
numer klienta
kundnummer | kundenr | asiakasnumero
no pelanggan | nomor pelanggan | no ahli
客户编号 | 会员号 | 顧客番号 | お客様番号""",
    "supplier_number": """
supplier # | vendor # | vendor id | supplier id
lieferantennummer | lieferanten # | kreditorennummer
fournisseur # | código proveedor | codice fornitore | leveranciersnummer | leverantörsnummer""",
    "delivery_number": """
delivery note # | delivery # | d/o # | do # | packing slip # | shipment # | tracking # | waybill #
lieferscheinnummer | lieferschein # | sendungsnummer
bon de livraison # | albarán de entrega # | bolla # | pakbonnummer | følgeseddel""",
    "vat_id": """
vat id | vat # | vat reg # | vat registration # | vat registration | vat identification # | vat id # | tax registration # | sales tax #
umsatzsteuer id | ust id # | ust ident # | ust id | ust idnr | umsatzsteuer identifikationsnummer | ustid | uid | uid # | mwst #
tva intracommunautaire | tva intra | tva # | numéro de tva | numéro tva | n tva | id tva
nif iva | iva # | cif nif
partita iva | p iva | piva | p. iva
nif | contribuinte #
btw # | btw nummer | btw id | btw identificatienummer
nip | numer nip | nip ue
momsreg # | momsnummer | moms # | vat nr | se # | alv #
npwp | 增值税号""",
    "other_number": """
gst # | gst id | gst reg # | gst registration # | gst id # | tin | tin # | abn | roc # | reg # | co reg # | company reg # | company # | registration # | business reg # | brn | ssm # | sst # | sst id | cashier # | table # | terminal # | terminal id | till # | pos # | store # | shop # | branch # | counter # | trans # | transaction # | trn # | approval code | auth code | approval # | auth # | batch # | trace # | card # | merchant id | merchant # | phone # | tel # | tel | phone | fax # | fax | mobile | estimate # | agency order # | alt order # | traffic # | line # | page # | queue # | serial # | lot # | item # | article # | sku | barcode | ein | tax id | fein | federal id # | ref # | reference # | your reference | our reference
steuernummer | st # | handelsregisternummer | hrb | amtsgericht | artikelnummer | art # | telefon | telefax | kassennummer | tischnummer | filiale | globale # | seriennummer | referenz
siret | siren | rcs | téléphone | tél | référence | article #
teléfono | cif | nif | referencia
partita iva fornitore | telefono | cod fisc | codice fiscale | riferimento
telefone | cnpj | contribuinte | referência
telefoon | kvk # | kvk nummer | btw # klant | referentie
regon | telefon | konto #
org nr | organisationsnummer | cvr # | puhelin
no telefon | no gst | no cukai | npwp
电话 | 税号 | 電話 | 登録番号""",
    "issue_date": """
invoice date | date of invoice | issue date | date of issue | issued on | issued | bill date | billing date | inv date | receipt date | document date | doc date | tax invoice date | date issued | dated | transaction date | trans date | date & time | date / time | date time | sale date | sales date | purchase date
rechnungsdatum | belegdatum | ausstellungsdatum | rechnung vom | ausgestellt am
date de facture | date facture | date de facturation | date d'émission | date de la facture | facturé le
fecha de factura | fecha factura | fecha de emisión | fecha emisión | fecha de expedición
data fattura | data della fattura | data documento | data emissione | data di emissione
data da fatura | data de emissão | data emissão | data do documento
factuurdatum | datum factuur
data wystawienia | data faktury
fakturadatum | fakturadato | laskun päiväys | laskutuspäivä
tarikh invois | tanggal faktur | tanggal invoice
开票日期 | 发票日期 | 請求日 | 発行日 | 请求日""",
    "date": """
date | day
datum
fecha
data
tarikh | tanggal | tgl
dato | päivämäärä | päiväys
日期 | 日付 | 날짜""",
    "due_date": """
due date | payment due | payment due date | please pay by | pay before | due on | due by | pay by | payable by | date due | payment date | due
fälligkeitsdatum | fälligkeit | fällig am | fällig | zahlbar bis | zahlungsziel | zahlbar bis zum | zu zahlen bis | fällig bis | bitte überweisen sie bis zum | überweisen sie bis zum | bitte überweisen sie bis | bitte zahlen sie bis zum
date d'échéance | échéance | date échéance | à payer avant | payable au
fecha de vencimiento | vencimiento | fecha vencimiento
data scadenza | scadenza | data di scadenza | scadenza pagamento
data de vencimento | vencimento | data vencimento
vervaldatum | uiterste betaaldatum | te betalen voor
termin płatności | termin zapłaty | płatne do
förfallodatum | förfallodag | forfaldsdato | forfallsdato | eräpäivä
tarikh akhir | jatuh tempo | tarikh bayaran
到期日 | 付款日期 | 支払期限 | お支払期限""",
    "delivery_date": """
delivery date | date of delivery | date of supply | ship date | shipping date | shipped on | service date | delivered on | date shipped
lieferdatum | leistungsdatum | liefer und leistungsdatum | lieferung vom | liefertermin | versanddatum | lieferscheindatum
date de livraison | date livraison | livré le
fecha de entrega | fecha entrega
data consegna | data di consegna | data de entrega | data da entrega
leverdatum | leveringsdatum
data dostawy | data sprzedaży | data wykonania usługi
leveransdatum | leveringsdato | toimituspäivä
tarikh penghantaran | tanggal pengiriman
交货日期 | 納品日""",
    "order_date": """
order date | date of order | po date | date ordered | date entered | entered | changes as of
bestelldatum | auftragsdatum | bestellt am | bestellung vom
date de commande | date commande
fecha de pedido | fecha pedido
data ordine | data do pedido | besteldatum | orderdatum | data zamówienia | ordredato | tilauspäivä
订单日期 | 注文日""",
    "other_date": """
date of birth | birth date | dob | print date | printed on | printed | run on | date printed | expiry date | exp date | expires | expiration date | valid until | best before | use by | last modified | revised | revision date | start time | member since | return by | as of | statement date | check in | check out | arrival | departure | mfg date | signature
geburtsdatum | gültig bis | druckdatum | gedruckt am | erstellt am | stand
date de naissance | date d'impression | valable jusqu'au | date d'expiration
fecha de nacimiento | válido hasta | fecha de impresión
data di nascita | data stampa | valido fino al
data de nascimento | válido até
geboortedatum | geldig tot | printdatum
data urodzenia | ważne do
tarikh lahir | tarikh luput
有效期 | 出生日期""",
    "period": """
period | billing period | service period | flight | flight dates | contract dates | schedule dates | order flight | campaign dates | campaign period | dates | term dates | invoice period | statement period | period covered
abrechnungszeitraum | leistungszeitraum | zeitraum | lieferzeitraum | rechnungszeitraum | laufzeit
période | période de facturation | période du
período | periodo | período de facturación | periodo di riferimento | período de faturamento
periode | factuurperiode | okres | okres rozliczeniowy | faktureringsperiod | periode fakturering | tempoh""",
    "start_date": """
start date | from date | begin date | starting date | commencement date | flight start | flight start date | period start | first day | date from | valid from
startdatum | beginn | anfangsdatum | vertragsbeginn
date de début | début | fecha de inicio | data inizio | data de início | begindatum | ingangsdatum | data rozpoczęcia | tarikh mula | 开始日期 | 開始日""",
    "end_date": """
end date | to date | ending date | finish date | flight end | flight end date | period end | last day | termination date | date to
enddatum | ende | vertragsende
date de fin | fin | fecha de fin | fecha final | data fine | data de término | einddatum | data zakończenia | tarikh tamat | 结束日期 | 終了日""",
    "effective_date": """
effective date | effective as of | date of agreement | agreement date | commencement
datum des inkrafttretens | inkrafttreten | vertragsdatum
date d'effet | date d'entrée en vigueur
fecha efectiva | fecha de entrada en vigor
data di efficacia | data efetiva | ingangsdatum | data wejścia w życie | ikraftträdande | tarikh berkuat kuasa | 生效日期 | 発効日""",
    "total": """
total | totals | grand total | total amount | total amt | invoice total | order total | gross total | total gross | gross amount | total due incl | total sales | total sale | total price | total cost | total purchase | total value | total payable incl | nett total | net total payable | total rounded | rounded total | total after rounding | total rm | total euro | total euros | total invoice | total after adj | bill total | total bill | final total | total charge | total charges | total fare | ttl | total incl tax | total incl vat | total incl gst | total inc gst | total with gst | total inclusive | net sales total | takeout total | sale total | amount total | total to pay
gesamtbetrag | gesamtsumme | rechnungsbetrag | bruttobetrag | bruttosumme | gesamt | summe | endbetrag | endsumme | gesamtpreis | rechnungssumme | gesamt brutto | summe brutto | brutto gesamt | brutto | rechnungsendbetrag | gesamtbetrag brutto | betrag brutto | total brutto | rechnungsgesamtbetrag | gesamtbetrag inkl mwst | summe inkl mwst | rechnungssumme inkl ust | rechnungssumme mit ust
total ttc | montant ttc | montant total | total général | total toutes taxes | ttc | montant total ttc
total general | importe total | total factura | total con iva | total iva incluido | total a pagar con iva
totale | totale fattura | totale documento | importo totale | totale complessivo | totale ivato | totale iva inclusa
total geral | valor total | total da fatura | total com iva | montante total
totaal | totaalbedrag | totaal incl btw | totaal inclusief btw | te voldoen | eindtotaal | factuurbedrag
razem | suma | wartość brutto | kwota brutto | ogółem | razem brutto | suma pln | łącznie
summa | totalt | totalsumma | samlet | i alt | total inkl moms | totalbeløp | yhteensä | beløb i alt | at betale i alt
jumlah | jumlah besar | jumlah keseluruhan | total harga | jumlah perlu dibayar
合计 | 总计 | 总额 | 合計 | 総計 | ご請求金額 | 价税合计 | 小写 | 合計金額 | 총액 | 합계""",
    "amount_due": """
amount due | due | payment due | residual | total due | balance due | balance | amount payable | total payable | total amount payable | total amt payable | payable | payable amount | net payable | nett payable | net payable amount | please pay | amount to pay | outstanding | outstanding balance | bal due | net due | amt due | total amount due | due amount | amount owing | pay this amount | nett amount | net amt payable | remaining balance
zahlbetrag | zu zahlen | fälliger betrag | zahlungsbetrag | zu zahlender betrag | offener betrag | restbetrag | forderungsbetrag | noch zu zahlen | zahllast | überweisungsbetrag | bitte zahlen sie
net à payer | reste à payer | montant dû | à payer | montant à payer | solde dû | solde à payer | net a payer
total a pagar | importe a pagar | a pagar | importe pendiente | saldo pendiente | líquido a pagar
totale da pagare | netto a pagare | da pagare | importo dovuto | totale dovuto | saldo
valor a pagar | valor em dívida
te betalen | te betalen bedrag | openstaand bedrag | nog te betalen
do zapłaty | pozostało do zapłaty | kwota do zapłaty
att betala | at betale | å betale | maksettava | belopp att betala | til betaling | maksettavaa
jumlah perlu dibayar | baki perlu dibayar | harus dibayar | jumlah bayaran
应付金额 | 应付 | 应收 | 实付 | 請求金額 | お支払金額""",
    "net": """
net amount | net total | total net | net | total excl | total excl tax | total excl vat | total excl gst | total excluding tax | total excluding gst | total excluding vat | amount excl tax | taxable amount | tax exclusive | total ex tax | total before tax | total before vat | total before gst | net value | taxable value | net price total | net invoice amount | tax base | tax basis total | total without tax | untaxed amount | total without vat | amount excluding vat
nettobetrag | summe netto | netto | nettosumme | gesamt netto | netto gesamt | nettowert | rechnungssumme ohne ust | rechnungssumme ohne umsatzsteuer | rechnungssumme ohne mwst | warenwert netto | gesamtbetrag netto | zwischensumme netto | betrag netto | summe ohne mwst | total netto | nettogesamtbetrag | steuerbasisbetrag gesamt | gesamtsumme netto | netto betrag | nettowarenwert
total ht | montant ht | total hors taxes | montant hors taxe | ht | total net ht | base ht | sous total ht
base imponible | total sin iva | importe neto | neto | subtotal sin iva
imponibile | totale imponibile | totale netto | importo netto
total sem iva | valor líquido | base tributável | total líquido | incidência
totaal excl btw | totaal exclusief btw | totaal excl | nettobedrag | bedrag excl btw | subtotaal excl btw
wartość netto | razem netto | kwota netto | suma netto
netto summa | exkl moms | total exkl moms | nettobelopp | nettobeløb | veroton | summa exkl moms | beløb ekskl moms
jumlah sebelum cukai | dpp
不含税金额 | 税抜金額 | 税抜合計""",
    "tax": """
tax | vat | gst | sst | hst | pst | sales tax | tax amount | vat amount | gst amount | total tax | total vat | total gst | tax total | vat total | gst total | service tax | tax amt | gst amt | sales tax total | add gst | plus vat | svr tax | gov tax | local tax | state tax | city tax | includes gst of | gst payable | total tax amount
umsatzsteuer | mwst | mehrwertsteuer | ust | steuerbetrag | mwst betrag | ust betrag | umsatzsteuerbetrag | steuer | summe mwst | steuer gesamt | steuersumme | gesamtsteuerbetrag | zzgl mwst | zzgl ust | mehrwertsteuerbetrag | summe umsatzsteuer | summe ust | versicherungssteuer
tva | total tva | montant tva | montant de la tva | taxes | taxe | dont tva | montant total tva
iva | cuota iva | importe iva | total iva | impuesto | impuestos | igic | cuota
imposta | importo iva | totale iva | totale imposta
total do iva | valor do iva | imposto | icms | valor iva
btw | btw bedrag | totaal btw | bedrag btw
podatek vat | kwota vat | razem vat | podatek | ptu | suma ptu | kwota ptu
moms | varav moms | mva | alv | momsbelopp | momsbeløb | herav mva
cukai | ppn | pajak | cukai gst
税额 | 増値税 | 消費税 | 税 | 内消費税 | 消費税額""",
    "subtotal": """
sub total | subtotal | sub ttl | subttl | item total | items total | merchandise total | goods total | food total | net sales | net sale | sale amount | line total sum | sum of lines | total items amount | sub tot | subtot | sales amount | sum of line items
zwischensumme | positionssumme | summe positionen | warenwert | summe der positionen | warensumme
sous total | sous totaux | sub total | suma parcial | subtotale | totale parziale | subtotaal | suma częściowa | delsumma | delsum | subtotal | välisumma | subjumlah | jumlah kecil | 小计 | 小計""",
    "discount": """
discount | discounts | total discount | total savings | savings | you saved | you save | total saved | coupon | coupons | rebate | promotion | allowance | item discount | total item discount | disc | member savings | less | less discount | total item disc
rabatt | nachlass | skonto | abschlag | abschläge | gesamtbetrag der abschläge | ersparnis | gutschein | summe abschläge | rabatte
remise | rabais | escompte | réduction | descuento | dto | sconto | desconto | korting | rabat | alennus | diskaun | diskon | potongan | 折扣 | 优惠 | 割引 | 値引""",
    "charge": """
service charge | svc chg | serv chg | shipping | shipping & handling | freight | delivery fee | delivery charge | handling | surcharge | fee | deposit | bag charge | total charges & fees | tip | tips | gratuity | suggested tip | service chg | agency comm | agency commission | commission
versand | versandkosten | zuschlag | zuschläge | gesamtbetrag der zuschläge | fracht | porto | summe zuschläge | lieferkosten | trinkgeld | pfand
frais de port | livraison | frais | port | pourboire | gastos de envío | portes | propina | spese di spedizione | trasporto | coperto | frete | gorjeta | verzendkosten | fooi | wysyłka | napiwek | frakt | dricks | caj perkhidmatan | servis | 服务费 | 运费 | 送料""",
    "rounding": """
rounding | rounding adj | rounding adjustment | round adj | round amt | rounding amt | round off | rounded | roundoff | cash rounding | round | rounding amount | rounding adjmnt | rnd
rundung | arrondi | redondeo | arrotondamento | arredondamento | afronding | zaokrąglenie | öresavrundning | avrunding | avrundning | pyöristys | pelarasan | penggenapan | pembundaran | bundaran | 四舍五入""",
    "tendered": """
cash | cash tendered | tendered | cash tend | amount tendered | pay | tender | amount tender | total tendered | paid | amount paid | total paid | payment | cash received | received | total received | cash paid | visa | mastercard | master card | visa card | credit card | debit card | card | credit | debit | eft | eftpos | amex | master | maestro | american express | nets | payment made | bank card | cash payment | tender amount | tendered amount | paid amount | amount received | cash amount | paid by | total paid by | cash myr | cash rm | gift card | card payment | total payment | e wallet | paypal
bar | gegeben | bezahlt | erhaltene anzahlungen | anzahlung | ec karte | kartenzahlung | bereits gezahlt | erhalten | geg bar | girocard | vorauszahlung | kreditkarte | gesamtbetrag der anzahlungen | kontonummer
espèces | carte bancaire | payé | acompte | acomptes | réglé | règlement | déjà payé | cb | montant payé
efectivo | tarjeta | entregado | pagado | recibido | anticipo
contanti | contante | pagato | carta | acconto | bancomat | importo pagato | pagamento contante
dinheiro | numerário | cartão | pago | multibanco
contant | betaald | pinnen | pin | aanbetaling
gotówka | karta | zapłacono | karta płatnicza
kontant | kort | betalt | kontanter | mottaget | käteinen | kortti | betalat
tunai | bayar | bayaran | kad kredit | dibayar
现金 | 实收 | 收款 | 刷卡 | 現金 | お預り | お預かり | クレジット""",
    "change": """
change | change due | cash change | balance change | your change | change given | change amount
rückgeld | wechselgeld | zurück | rueckgeld
rendu | monnaie | monnaie rendue | à rendre
cambio | devolución | su cambio | vuelto
resto | resto contante
troco
wisselgeld | terug | retour
reszta
växel | byttepenge | vekslepenger | tilbage | takaisin
baki | kembali | kembalian | bakiduit
找零 | 找赎 | お釣り | おつり | お釣""",
    "count": """
total qty | qty | quantity | item count | items | total items | no of items | number of items | # items | items sold | item qty | total item | total quantity | total spots | spots | total units | points | total points | points earned | total hours | total weight | total pages | total number | items count | total item qty | count
menge | anzahl | stück | artikelanzahl | gesamtmenge | stk | punkte
quantité | qté | nombre d'articles | nb articles | cantidad | cant | unidades | artículos | quantità | q.tà | qta | pezzi | quantidade | qtd | qtde | aantal | stuks | ilość | szt | antal | antall | määrä | kuantiti | kuantitas | jumlah barang | bil item | 数量 | 件数 | 点数""",
    "unit_price": """
unit price | price | rate | u price | unit cost | price per unit | net price | gross price | cost
einzelpreis | nettopreis | bruttopreis | stückpreis | preis | e preis | ep
prix unitaire | pu | p.u. | prix | pu ht | precio unitario | precio | prezzo unitario | prezzo | preço unitário | preço | prijs | stukprijs | eenheidsprijs | cena | cena jednostkowa | cena netto | pris | à pris | enhetspris | hinta | harga | harga seunit | 单价 | 単価""",
    "line_total": """
amount | line total | line amount | extended | extended price | extension | ext price
betrag | positionsbetrag | entgelt | gesamtpreis position | positionswert | zeilensumme
montant | importe | importo | valor | bedrag | kwota | wartość | belopp | beløb | summa rad | amaun | 金额 | 金額""",
    "description": """
description | item | product | details | article | particulars | item description | product description | service
beschreibung | bezeichnung | artikel | leistung | artikelbezeichnung | produkt | text
désignation | libellé | produit | descripción | concepto | producto | descrizione | prodotto | descrição | produto | omschrijving | opis | nazwa towaru | nazwa | beskrivning | beskrivelse | kuvaus | keterangan | perihal | nama barang | 品名 | 项目 | 名称 | 内容""",
    "tax_rate": """
tax rate | vat rate | gst rate | vat % | tax % | rate %
steuersatz | mwst satz | ust satz | mwst % | ust % | ust.-satz
taux tva | taux | tipo iva | % iva | aliquota | aliquota iva | taxa iva | btw % | btw tarief | stawka vat | momssats | kadar cukai | 税率""",
    "currency": """
currency | invoice currency | currency code
währung | rechnungswährung
devise | monnaie de facturation | moneda | divisa | valuta | moeda | waluta | valuuta | mata wang | mata uang | 币种 | 货币 | 通貨""",
    "seller": """
seller | supplier | vendor | from | issued by | sold by | merchant | bill from | billed by | remit to | provider
verkäufer | lieferant | rechnungssteller | leistungserbringer | aussteller | verkäufer / leistungserbringer
vendeur | fournisseur | émetteur | prestataire
vendedor | proveedor | emisor
venditore | fornitore | cedente | cedente prestatore | emittente
fornecedor | emitente
verkoper | leverancier
sprzedawca | dostawca | wystawca
säljare | leverantör | sælger | leverandør | selger | myyjä | toimittaja
penjual | pembekal
销售方 | 卖方 | 销货单位 | 売主 | 販売者""",
    "buyer": """
buyer | customer | bill to | billed to | sold to | invoice to | client | purchaser | billing address | invoice address | invoiced to | customer name
käufer | kunde | rechnungsempfänger | leistungsempfänger | käufer / leistungsempfänger | auftraggeber | empfänger | rechnungsadresse | rechnungsanschrift | rechnung an
acheteur | client | facturé à | destinataire | adresse de facturation
comprador | cliente | facturar a | destinatario
acquirente | cessionario | cessionario committente | intestatario | spett le
adquirente | destinatário
koper | klant | afnemer | factuuradres
nabywca | odbiorca | kupujący
köpare | kund | køber | kjøper | ostaja | asiakas
pembeli | pelanggan | kepada
购买方 | 买方 | 购货单位 | 買主 | 御中""",
    "ship_to": """
ship to | deliver to | delivery address | shipping address | consignee | delivered to
lieferadresse | lieferanschrift | warenempfänger | abweichender warenempfänger | lieferung an
adresse de livraison | livré à | dirección de entrega | enviar a | indirizzo di consegna | destinazione | endereço de entrega | afleveradres | leveringsadres | adres dostawy | leveransadress | leveringsadresse | alamat penghantaran | 收货人 | 送货地址""",
    "payee": """
payee | pay to | make payable to
zahlungsempfänger | abweichender zahlungsempfänger
bénéficiaire | beneficiario | begunstigde""",
}

FALLBACKS: dict[str, tuple[str, ...]] = {
    "total": ("amount_due", "net", "subtotal"),
    "amount_due": ("total",),
    "date": ("issue_date",),
    "issue_date": ("date",),
    "start_date": ("period",),
    "end_date": ("period",),
    "contract_number": ("order_number",),
}
"""Terms that may speak for another one, where the contract has no field of their own."""

AMOUNTS = frozenset(
    "total amount_due net tax subtotal discount charge rounding tendered change count unit_price line_total".split()
)
NUMBERS = frozenset(
    "invoice_number order_number contract_number customer_number supplier_number delivery_number other_number".split()
)
DATES = frozenset(
    "issue_date date due_date delivery_date order_date other_date period start_date end_date effective_date".split()
)
PARTIES = frozenset("seller buyer ship_to payee".split())


@lru_cache(maxsize=1)
def label_terms() -> dict[str, tuple[str, ...]]:
    """The terms of every compact label; the first is what it means when nothing else is known."""
    terms: dict[str, dict[str, None]] = {}
    for term, lines in _TERMS.items():
        for label in lines.replace("\n", "|").split("|"):
            for key in compact_label(label):
                terms.setdefault(key, {})[term] = None
    for code in MINOR_UNITS:
        terms.setdefault(compact_label(f"total {code}")[0], {})["total"] = None
    return {key: tuple(names) for key, names in terms.items()}


def term_of(field: CanonicalField) -> str | None:
    """The business term that a field's name says, or else the one that most of its labels say."""
    terms = label_terms()
    named = next((terms[key][0] for key in compact_label(field.name.replace("_", " ")) if key in terms), None)
    if named:
        return named
    votes = [terms[keys[0]][0] for keys in map(compact_label, field.labels) if keys and keys[0] in terms]
    return max(votes, key=lambda term: (votes.count(term), -votes.index(term))) if votes else None
