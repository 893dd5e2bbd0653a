from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paxman
from paxman.recognizers import Conventions, conventions_of, find
from paxman.recognizers.calendar.dates import to_date
from paxman.recognizers.calendar.months import month_of
from paxman.recognizers.tables import entries


def days(text: str, **conventions: str) -> list[str]:
    return [reading.value.isoformat() for reading in find("date", text, Conventions(**conventions))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2018-12-25T10:00:00Z", ["2018-12-25"]),
        ("25/12/2018, 12/25/2018, 2018/12/25", ["2018-12-25"] * 3),
        ("25 /12/ 2018", ["2018-12-25"]),
        ("26. 10.21 14.12", ["2021-10-26"]),
        ("31-03-18", ["2018-03-31"]),
        ("99/12/31", ["1999-12-31"]),
        ("12 05 2024", ["2024-05-12"]),
        ("3. März 2025; 3 de marzo de 2025; 3 mars 2025; 3 marzo 2025", ["2025-03-03"] * 4),
        ("3 de março de 2025; 3 maart 2025; 3 marca 2025; 3 Mac 2025; 3 Maret 2025", ["2025-03-03"] * 5),
        ("March 3rd, 2025 and Mar-03-2025 and 2025-Mar-03", ["2025-03-03"] * 3),
        ("25DEC2018 and Dec25,2018 and 14 Dec'21", ["2018-12-25", "2018-12-25", "2021-12-14"]),
        ("this 22nd day of June,\n2016", ["2016-06-22"]),
        ("this 22ND DAY OF JUNE, 2016 and the 2\nnd day of June, 2016", ["2016-06-22", "2016-06-02"]),
        ("Check No. 1\nFeb 11, 2012", ["2012-02-11"]),
        ("am 3.\nMärz 2024", ["2024-03-03"]),
        ("on June 22,   \n        2016 and this 3rd   \n        day of   \n  May, 2017", ["2016-06-22", "2017-05-03"]),
        ("Hosting  1  12\nMarch 2024", []),
        ("REG #19- Jan 18, 2018 and CASHIER 13  Apr 27, 2018", ["2018-01-18", "2018-04-27"]),
        ("Store 7 Mar 17 2017 12:04", ["2017-03-17"]),
        ("05 Mar 17 2000.00 paid, 05 Mar 17   2016 pcs, 05 Mar 17 1430h", ["2017-03-05"] * 3),
        ("Sat Aug262017 3:33PM", ["2017-08-26"]),
        ("30/01/201011:45PM, Sep1.20173:05:24pm and 14/08/1706:21pm", ["2010-01-30", "2017-09-01", "2017-08-14"]),
        ("25/12/2010:13:55:36", ["2010-12-25"]),
        ("25/12/20141 x", []),
        ("Mar 452019", []),
        ("2024/3/4, 2024-3-14 and 2024.3.4", ["2024-03-04", "2024-03-14", "2024-03-04"]),
        ("4.3.24 and 12/3/4", []),
        ("Wed Aug 05 12:00:00 2015", ["2015-08-05"]),
        ("2016年3月20日 21時40分, 令和元年5月1日, 2016년 3월 20일", ["2016-03-20", "2019-05-01", "2016-03-20"]),
        ("二〇二五年七月二十八日至二零二六年十二月三十一日", ["2025-07-28", "2026-12-31"]),
        ("令和七年十月十日", ["2025-10-10"]),
        ("ngày 22 tháng 6 năm 2016", ["2016-06-22"]),
        ("13 авг. 2005г., १७ अक्टूबर २०१८, 11 ก.พ. 2563", ["2005-08-13", "2018-10-17", "2020-02-11"]),
    ],
)
def test_dates(text: str, expected: list[str]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    "text", ["31/02/2020", "192.168.1.12", "1.2.3", "10 - 12 - 14", "5 items 2024", "10:30", "March", "A4", "20181225"]
)
def test_not_dates(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10/20/16 - 10/26/16", ["2016-10-20", "2016-10-26"]),
        ("1-5 March 2024", ["2024-03-01", "2024-03-05"]),
        ("vom 1. bis 5. März 2024", ["2024-03-01", "2024-03-05"]),
        ("March 13 - 17, 2014", ["2014-03-13", "2014-03-17"]),
        ("March 28 - April 3, 2014", ["2014-03-28", "2014-04-03"]),
        ("1.-5.3.2024", ["2024-03-01", "2024-03-05"]),
        ("25/12/18-26/12/18", ["2018-12-25", "2018-12-26"]),
        ("1 or 3 May 2025", ["2025-05-01", "2025-05-03"]),
        ("1/3 May 2025", ["2025-05-01", "2025-05-03"]),
        ("1. und 3. Mai 2025", ["2025-05-01", "2025-05-03"]),
        ("del 1 al 3 mayo 2025", ["2025-05-01", "2025-05-03"]),
        ("1 May or 3 May 2025", ["2025-05-01", "2025-05-03"]),
        ("May 1 or 3, 2025", ["2025-05-01", "2025-05-03"]),
        ("1 Mar - 31 Mar 2025", ["2025-03-01", "2025-03-31"]),
        ("1st March – 31st March 2025", ["2025-03-01", "2025-03-31"]),
        ("1. März - 31. März 2025", ["2025-03-01", "2025-03-31"]),
        ("5 Mar - 24 Apr 25", ["2025-03-05", "2025-04-24"]),
        ("1-Mar-24 Mar 2025", ["2024-03-01"]),
    ],
)
def test_ranges_give_two_dates(text: str, expected: list[str]) -> None:
    assert days(text) == expected


def test_partial_first_days_share_the_doubt_of_the_last() -> None:
    first, last = find("date", "3/4-3/10/2016")
    assert (first.value, first.alternatives[0].value) == (date(2016, 4, 3), date(2016, 3, 4))
    assert (last.value, last.alternatives[0].value) == (date(2016, 10, 3), date(2016, 3, 10))


def test_slashes_are_ambiguous_until_something_says() -> None:
    (reading,) = find("date", "03/04/2025")
    assert (reading.value, [r.value for r in reading.alternatives]) == (date(2025, 4, 3), [date(2025, 3, 4)])
    assert reading.rule == "most of the world writes the day first"
    (reading,) = find("date", "03/04/2025", Conventions(currency="USD"))
    assert (reading.value, [r.value for r in reading.alternatives]) == (date(2025, 3, 4), [date(2025, 4, 3)])
    (reading,) = find("date", "03/04/2025", Conventions(date_order="mdy"))
    assert (reading.value, reading.alternatives) == (date(2025, 3, 4), ())
    assert [r.alternatives for r in find("date", "03/03/2025 and 03.04.2025")] == [(), ()]


def test_a_date_that_breaks_the_order_of_the_page_is_still_read() -> None:
    assert days("25/12/2018", date_order="mdy") == ["2018-12-25"]
    assert days("18-12-25", date_order="ymd") == ["2018-12-25"]


@given(st.integers(0, 99))
def test_two_digit_years_turn_at_a_fixed_year(year: int) -> None:
    assert to_date(f"01/01/{year:02}", "dmy").year == year + (1900 if year >= 69 else 2000)


@given(st.dates(date(1000, 1, 1), date(2399, 12, 31)))
def test_every_order_reads_what_it_writes(day: date) -> None:
    assert days(day.isoformat()) == [day.isoformat()]
    for order, form in (("dmy", "%d/%m/"), ("mdy", "%m/%d/")):
        assert days(day.strftime(form) + f"{day.year:04}", date_order=order) == [day.isoformat()]


@given(st.sampled_from(entries("months")), st.dates(date(1000, 1, 1), date(2399, 12, 31)))
def test_month_names_of_every_language(language: tuple[str, list[str]], day: date) -> None:
    name = language[1][day.month - 1].split("/")[0]
    if month_of(name) == day.month:  # Croatian listopad is October, elsewhere November
        assert days(f"{day.day} {name} {day.year:04}") == [day.isoformat()]


def test_times_and_durations() -> None:
    times = find("time", "at 2:57 p.m., 14h40, 18.37 Uhr, 10:55:50 or 21時40分, not 12.50")
    assert [reading.value for reading in times] == ["14:57", "14:40", "18:37", "10:55:50", "21:40"]
    text = "two (2) years; a 24-month period; five (5) business days; 1 year and 6 months"
    assert [r.value for r in find("duration", text)] == ["2 years", "24 months", "5 business days", "1 year 6 months"]
    text = "5 (five) years; 36 (thirty-six) months; 5 (six) days; 1.5 years; 0,5 hours"
    assert [r.value for r in find("duration", text)] == ["5 years", "36 months", "1.5 years", "0.5 hours"]
    assert [r.value for r in find("duration", "zwei Jahre", Conventions(language="de"))] == ["2 years"]
    assert find("duration", "per year, the month of May") == []


def test_a_short_text_of_no_known_language_may_be_in_any() -> None:
    assert [r.value for r in find("duration", "zwei Jahre; drei Monate")] == ["2 years", "3 months"]


def test_days_with_a_slash_and_a_dash() -> None:
    (reading,) = find("date", "06/08-2013", Conventions(date_order="dmy"))
    assert (reading.value, reading.alternatives) == (date(2013, 8, 6), ())
    assert [other.value for other in find("date", "06/08-2013")[0].alternatives] == [date(2013, 6, 8)]


def test_year_first_dates_do_not_decide_year_last_ones() -> None:
    how = Conventions(date_order="ymd", language="ja")
    [slashes], [points] = find("date", "01/02/2024", how), find("date", "01.02.2024", how)
    assert [str(each.value) for each in (slashes, *slashes.alternatives)] == ["2024-02-01", "2024-01-02"]
    assert [str(each.value) for each in (points, *points.alternatives)] == ["2024-02-01"]
    document = "<order><ordered>01/02/2024</ordered></order>"
    contract = {"id": "c", "version": "1", "fields": [{"name": "ordered", "type": "DATE", "required": True}]}
    assert "AMBIGUOUS_VALUE" in [note.code for note in paxman.normalize(document, contract)["ordered"].diagnostics]


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("15/03/2564", "en_MY", []),
        ("15/03/2564", "de_DE", []),
        ("15/03/2564 TOTAL RM 5.00", None, []),
        ("BANGKOK CAFE\nDATE 15/03/2564", None, [date(2021, 3, 15)]),
        ("15/03/2564", "th_TH", [date(2021, 3, 15)]),
        ("15/03/2564", "en_TH", [date(2021, 3, 15)]),
    ],
)
def test_thai_years_are_read_on_pages_that_may_be_thai(text: str, locale: str | None, expected: list[date]) -> None:
    assert [reading.value for reading in find("date", text, conventions_of(text, locale))] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("this twenty-second day of October, 2009", date(2009, 10, 22)),
        ("the twenty second (22nd) day of October, 2009", date(2009, 10, 22)),
        ("the first of May two thousand eleven", date(2011, 5, 1)),
        ("the 5th day of March, two thousand and nine", date(2009, 3, 5)),
        ("5th day of March, nineteen ninety-eight", date(1998, 3, 5)),
        ("October twenty-second, 2009", date(2009, 10, 22)),
        ("the thirty-first day of December in the year two thousand twenty-one", date(2021, 12, 31)),
    ],
)
def test_days_and_years_in_words(text: str, expected: date) -> None:
    assert [reading.value for reading in find("date", text)] == [expected]


def test_days_in_words_that_no_month_has_are_none() -> None:
    assert find("date", "the thirty-first day of February 2020, one of May 2010") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("午後3時30分", "15:30"),
        ("午前12時05分", "00:05"),
        ("오후 3시 30분", "15:30"),
        ("下午3:30", "15:30"),
        ("上午9点15分", "09:15"),
        ("14 Uhr 30", "14:30"),
        ("kl. 09.15", "09:15"),
        ("１２：３０", "12:30"),
    ],
)
def test_times_with_a_word_beside_them(text: str, expected: str) -> None:
    assert [(reading.value, text[reading.start : reading.end]) for reading in find("time", text)] == [(expected, text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dwa lata", "2 years"),
        ("osiemnaście miesięcy", "18 months"),
        ("one and a half years", "1.5 years"),
        ("two and a half (2.5) years", "2.5 years"),
        ("two (2)   \n        years", "2 years"),
        ("twenty-   \n    four (24)\n  full\n  months", "24 months"),
        ("5\n    (five) business   \n    days", "5 business days"),
    ],
)
def test_durations_in_words(text: str, expected: str) -> None:
    assert [reading.value for reading in find("duration", text)] == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Closing balance $1,108.27\nMar 31 Interest", []),
        ("Mar 31\n27 Apr 2024", ["2024-04-27"]),
        ("Mar 31\n24 items", []),
        ("Paid 12.50 March 5, 2024", ["2024-03-05"]),
        ("the 5th\nof March 2024", ["2024-03-05"]),
        ("12 Mar 24", ["2024-03-12"]),
    ],
)
def test_the_number_of_another_line_or_amount_is_no_part_of_a_date(text: str, expected: list[str]) -> None:
    assert days(text) == expected


def test_dollars_with_a_decimal_comma_do_not_put_the_month_first() -> None:
    text = "09/10/2013   $ {}\n"
    shown = [find("date", page, conventions_of(page))[0] for page in map(text.format, ("10,000.00", "10.000,00"))]
    assert [reading.value for reading in shown] == [date(2013, 9, 10), date(2013, 10, 9)]
    assert [reading.rule for reading in shown] == [
        "a page in US dollars is taken to write the month first",
        "most of the world writes the day first",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024年3月3日～3月5日", ["2024-03-03", "2024-03-05"]),
        ("令和6年3月3日から5日まで", ["2024-03-03", "2024-03-05"]),
        ("2024년 3월 3일 ~ 4월 5일", ["2024-03-03", "2024-04-05"]),
        ("2024年12月30日至1月5日", ["2024-12-30", "2025-01-05"]),
        ("2024年12月30日至2025年1月5日", ["2024-12-30", "2025-01-05"]),
        ("2024年3月5日 3日以内", ["2024-03-05"]),
        ("支払期限：2024年3月25日から10日以内", ["2024-03-25"]),
        ("2024年3月25日から30日以内", ["2024-03-25"]),
        ("2024年3月1日～5日間", ["2024-03-01"]),
        ("2024년 3월 1일 ~ 5일간", ["2024-03-01"]),
        ("2024年3月25日-3日", ["2024-03-25"]),
    ],
)
def test_ranges_of_east_asia_name_the_year_once(text: str, expected: list[str]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14:00-16:00", ["14:00", "16:00"]),
        ("8.30 - 17.00 Uhr", ["08:30", "17:00"]),
        ("klo 10.30", ["10:30"]),
        ("7.50-8.25 Hrs", []),
        ("9.00-17.00 Uhr", ["09:00", "17:00"]),
        ("10:30:15.123", ["10:30:15"]),
        ("12.50-13.50 and 2024-05-10:30", []),
    ],
)
def test_both_ends_of_a_range_of_times(text: str, expected: list[str]) -> None:
    assert [reading.value for reading in find("time", text)] == expected


@pytest.mark.parametrize(("written", "expected"), [("24.3.5", date(2024, 3, 5)), ("24/3/5", date(2024, 3, 5))])
def test_a_day_of_one_digit_behind_the_month_leaves_the_year_before_it(written: str, expected: date) -> None:
    field = {"name": "date", "type": "DATE", "required": True}
    contract = {"id": "c", "version": "1", "fields": [field]}
    assert paxman.normalize(f"Date: {written}\n", contract)["date"].value == expected
    assert find("date", f"see {written} of this") == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Dec 15 - Jan 14, 2025", ["2024-12-15", "2025-01-14"]),
        ("28.12. - 03.01.2025", ["2024-12-28", "2025-01-03"]),
        ("28.12. - 03.01.00", ["1999-12-28", "2000-01-03"]),
        ("28/12 - 03/01/2025", ["2024-12-28", "2025-01-03"]),
        ("12/28 - 01/03/2025", ["2024-12-28", "2025-01-03"]),
        ("du 28 décembre au 3 janvier 2025", ["2024-12-28", "2025-01-03"]),
        ("del 28 de diciembre al 3 de enero de 2025", ["2024-12-28", "2025-01-03"]),
        ("1 July - 30 June 2025", ["2024-07-01", "2025-06-30"]),
        ("03/28 - 04/03/2025", ["2025-03-28", "2025-04-03"]),
        ("15 December and 15 January 2025", ["2025-01-15"]),
        ("31 January - 5 January 2025", ["2025-01-05"]),
        ("29 February - 3 January 2025", ["2025-01-03"]),
    ],
)
def test_a_range_over_new_year_begins_in_the_year_before(text: str, days: list[str]) -> None:
    assert [(str(each.value), each.alternatives) for each in find("date", text)] == [(day, ()) for day in days]


@pytest.mark.parametrize("text", ["Page 3/4 - 02/03/2025", "Seite: 3/28 - 02/03/2025", "p. 1/2 - 02/03/2025"])
def test_a_page_over_its_count_is_no_first_day(text: str) -> None:
    found = find("date", text)
    assert [(str(each.value), len(each.alternatives)) for each in found] == [("2025-03-02", 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two (3) years", [["3 years", "2 years"]]),
        ("twelve (12) months and two (3) days", [["12 months 3 days", "12 months 2 days"]]),
        ("two (2) years; five (4) weeks", [["2 years"], ["4 weeks", "5 weeks"]]),
    ],
)
def test_figures_and_words_that_differ_are_two_readings(text: str, expected: list[list[str]]) -> None:
    found = [[each.value for each in (first, *first.alternatives)] for first in find("duration", text)]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("25-XII-2024", ["2024-12-25"]),
        ("Data: 3.V.2024 r.", ["2024-05-03"]),
        ("1999-12-31, 9.IX.1999", ["1999-12-31", "1999-09-09"]),
        ("Faktura nr 12/V/2024", []),
        ("31-II-2024, 1.XIII.2024", []),
        ("A25-XII-2024, 25-XII-2024-7", []),
    ],
)
def test_a_month_may_be_in_roman_figures(text: str, days: list[str]) -> None:
    assert [str(reading.value) for reading in find("date", text)] == days
