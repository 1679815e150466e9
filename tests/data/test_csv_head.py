"""The head of a text: each kind with its neighbours, and the lines that its notes tell."""

from __future__ import annotations

from typing import Any

import pytest

from dtviz.data.csv import read_frame
from dtviz.data.dataset import DataError
from dtviz.data.notes import summary
from dtviz.data.read_options import ReadOptions

ROWS = "".join(f"{i},{3000 + i},{'ab'[i % 2]}\n" for i in range(12))
TABLE = f"x,y,k\n{ROWS}"


def read(text: str | bytes, **options: Any) -> tuple[list[str], int, list[int], list[str]]:
    """Names of the columns, number of rows, lines of the first two rows, and what is told."""
    content = text.encode() if isinstance(text, str) else text
    frame, notes = read_frame(content, ReadOptions(**options))
    return list(frame), len(frame), frame.attrs["lines"][:2].tolist(), summary(notes)


def refused(text: str, **options: Any) -> tuple[str, str | None]:
    with pytest.raises(DataError) as error:
        read(text, **options)
    return str(error.value), error.value.parameter


def left_out(text: str) -> list[str]:
    """What is told of the lines that are left out of a table of 12 rows named x, y and k."""
    names, rows, _, told = read(text)
    assert (names, rows % 12) == (["x", "y", "k"], 0), text
    return told


LEFT_OUT = {
    "# made by x\n# on y, with z\n" + TABLE: "2 rows: left out: a comment (lines 1, 2)",
    "\n% one\n// two\n" + TABLE: "2 rows: left out: a comment (lines 2, 3)",
    TABLE + "# of both\n" + ROWS: "1 row: left out: a comment (line 14)",
    "My report\n" + TABLE: "1 row: left out: a title above the names (line 1)",
    "Report, 2020\n" + TABLE: "1 row: left out: a title above the names (line 1)",
    "Report,,\n,,\n" + TABLE: "1 row: left out: a title above the names (line 1)",
    TABLE + TABLE: "1 row: left out: the line of names again (line 14)",
    TABLE + TABLE + TABLE: "2 rows: left out: the line of names again (lines 14, 27)",
    "x,y,k\n(s),kg,\n" + ROWS:
        "1 row: left out: units under the names, 'x' in '(s)', 'y' in 'kg' (line 2)",
}  # fmt: skip


def test_lines_that_are_no_rows_are_left_out_and_told() -> None:
    for text, note in LEFT_OUT.items():
        for end in ("\n", "\r\n", "\r"):
            assert note in left_out(text.replace("\n", end)), text
    assert read("# a\n\n" + TABLE)[2] == [4, 5]  # rows keep the number of their line


def test_what_looks_like_a_head_may_be_a_row() -> None:
    quoted = 'x,y,k\n1,2,"text\n# heading\nmore"\n' + ROWS
    assert read(quoted)[1] == 13
    assert read("k,y\n" + "#1,2\n#2,3\n" * 3)[1] == 6
    assert read("x,y,k\n?,?,b\n" + ROWS)[1] == 13
    assert read("country,2019,2020\nA,1,2\nB,3,4\nA,1,1\n")[0] == ["country", "2019", "2020"]


def test_names_may_stand_in_a_comment() -> None:
    names, _, lines, told = read("# x y\n1 2\n3 4\n5 6\n")  # numpy.savetxt
    assert (names, lines) == (["x", "y"], [2, 3])
    assert "the names stand in a comment, line 1" in told
    assert read("#chrom\tstart\n" + "c1\t1\n" * 3)[0] == ["chrom", "start"]


def test_the_line_of_names_can_be_said() -> None:
    text = 'one, two, "three\n\nx,y,k\n' + ROWS
    names, rows, lines, told = read(text, names_line=3)
    assert (names, rows, lines) == (["x", "y", "k"], 12, [4, 5])
    assert told == ["1 row: left out: above the line of names (line 1)", "1 blank line skipped"]
    assert read("1,2\n3,4\n5,6\n", names_line=2)[0] == ["3", "4"]
    for n, reason in ((2, "empty"), (99, "beyond the last")):
        message, parameter = refused(text, names_line=n)
        assert (f"line {n} is {reason}" in message, parameter) == (True, "names_line")


def test_no_line_of_names() -> None:
    text = "x,x,neg\no,o,pos\nx,b,pos\no,x,neg\nx,o,neg\n"
    assert read(text)[:3] == (["column 1", "column 2", "column 3"], 5, [1, 2])
    assert read("a,b,kind\n" + text)[0] == ["a", "b", "kind"]
    iris = "5.1,3.5,setosa\n4.9,3.0,setosa\n6.1,2.2,virginica\n"
    assert read(iris)[1] == 3
    assert read("18.0,8,one\n15.0,9,two\n17.5,4,three\n")[1] == 3  # text that never comes again


ORANGE = "len\tcol\tid\tkind\nc\td\ts\td\n\t\tmeta\tclass\n" + "0.5\t1\tr\tb\n1.5\t2\ts\ta\n" * 6


def test_orange_says_types_and_flags() -> None:
    names, rows, lines, told = read(ORANGE)
    assert (names, rows, lines) == (["len", "col", "id", "kind"], 12, [4, 5])
    assert told[0] == "Orange's lines 2 and 3 say what the columns are; the target is 'kind'"
    assert read_frame(ORANGE.encode())[0]["col"].tolist()[:2] == ["1", "2"]  # a category of digits
    assert read(ORANGE.replace("meta", "ignore"))[0] == ["len", "col", "kind"]
    names, _, _, told = read("C#x\tmS#y\tcD#k\n" + ROWS.replace(",", "\t"))
    assert (names, "the target is 'k'" in told[0]) == (["x", "y", "k"], True)
    assert read("C#4,D#4\n1,2\n3,4\n")[0] == ["C#4", "D#4"]


ARFF = """% c
@RELATION 'a b'

@attribute 'my name' REAL
@attribute day date "dd/MM/yyyy"
@attribute code {1,2}
@attribute class {'a b', c}
@DATA
1,03/04/2020,1,'a b'
% between
?,05/04/2020,2,"c"
2, 06/04/2020 ,?,'it\\'s, so'
"""
SPARSE = (
    "@relation s\n@attribute a numeric\n@attribute b {x,y}\n@attribute c string\n@data\n"
    "{0 5, 1 y}, {3}\n{}\n{2 'p, q'}\n"
)


def test_arff_declares_names_and_types() -> None:
    frame, notes = read_frame(ARFF.encode())
    assert list(frame) == ["my name", "day", "code", "class"]
    assert frame["my name"].fillna(-1).tolist() == [1, -1, 2]
    assert frame["day"].dt.strftime("%Y-%m-%d").tolist()[0] == "2020-04-03"
    assert frame["code"].tolist() == ["1", "2", None]
    assert frame["class"].tolist() == ["a b", "c", "it's, so"]
    assert frame.attrs["lines"].tolist() == [9, 11, 12]
    assert "1 row: left out: a comment (line 10)" in summary(notes)
    frame, notes = read_frame(SPARSE.encode())
    assert frame["a"].tolist() == [5, 0, 0]
    assert frame["b"].tolist() == ["y", "x", "x"]
    assert frame["c"].tolist() == [None, None, "p, q"]
    assert frame["instance weight"].tolist() == [3, 1, 1]
    for text, message in (
        ("@relation r\n@attribute a relational\n@data\n1\n", "declares the type 'relational'"),
        ("@relation r\n@attribute a numeric\n1\n", "is no line of an ARFF head"),
        ("@relation r\n@attribute a numeric\n", "no line @data"),
        (SPARSE + "{9 1}\n", "must be a number from 0 to 2"),
        (ARFF + "1,2,1,'a\n", "a quote in line 13 does not close"),
    ):
        assert message in refused(text)[0], text


BLANKS = (
    "x y kind\n" + "0 3000 b\n1 3001 a\n" * 6,
    "x     y     kind\n" + "0     3000  b\n1     3001  a\n" * 6,
    "  x y kind \n" + "  0   3000 b\n 11 3001 a  \n" * 6,
    'x y kind\n0 1 "b c"\n1\t2 "d"\n2 3 "e ""f"""\n',
)


def test_blanks_part_cells() -> None:
    for text in BLANKS:
        assert read(text)[0] == ["x", "y", "kind"], text
        assert "cells are parted by blanks" in read(text)[3], text
        assert read(text, delimiter=" ")[:3] == read(text)[:3], text
    assert read("one line of prose\nand one more\nthat is all\n")[0] == ["one line of prose"]
    assert len(read('18.0  8 70  1\t"chevrolet malibu"\n' * 2 + '1 ? 3 4\t"fiat"\n')[0]) == 5
    assert read("John Smith\t5\nAnn Lee\t6\nBo Ek\t4\n")[0] == ["John Smith", "5"]


FIXED = (
    "name          x    city\n"
    "Ann           1    New York\n"
    "Bob Smith     22   Paris\n"
    "Jo                 Rome\n"
    "Cy            4    Los Angeles\n"
)
RULED = {
    FIXED: 4,
    "name   x    city\n-----  ---  --------\nBo Ek       New York\nAnn    2    Paris\n": 2,
    'Above\n\n| name | x | city |\n|---|:-:|---|\n| Ann | 1 | a\\|b |\n| B | 2 | "c |\n': 2,
    "name | x | city\n--- | --- | ---\nAnn | 1 | Rome\nB | 3 | Bern\n": 2,
    " name | x | city \n------+---+------\n Ann  | 1 | Rome\n B    |   | Bern\n(2 rows)\n\n": 2,
    "+---+---+---+\n| name | x | city |\n+---+---+---+\n| A | 1 | R |\n+---+---+---+\n"
    "1 row in set (0.00 sec)\n": 1,
}


def test_columns_of_fixed_width_and_drawn_tables() -> None:
    for text, rows in RULED.items():
        for end in ("\n", "\r\n"):
            assert read(text.replace("\n", end))[:2] == (["name", "x", "city"], rows), text
    frame, notes = read_frame([*RULED][2].encode())
    assert frame["city"].tolist() == ["a|b", '"c']
    assert frame.attrs["lines"].tolist() == [5, 6]
    assert "1 row: left out: no row of the drawn table (line 1)" in summary(notes)
    frame, _ = read_frame(FIXED.encode())
    assert frame["city"].tolist() == ["New York", "Paris", "Rome", "Los Angeles"]


def test_quotes_may_be_letters() -> None:
    text = 'label\ttext\nham\t"hi there\nspam\tbuy now\n'
    assert read_frame(text.encode())[0]["text"].tolist() == ['"hi there', "buy now"]
    assert read(text)[3] == ["quotes are read as letters, since they do not close"]
    quoted = 'label\ttext\nham\t"hi\tthere"\nspam\t"buy"\n'
    assert read_frame(quoted.encode())[0]["text"].tolist() == ["hi\tthere", "buy"]
    message, parameter = refused('a,b\n1,"x\n2,3\n')
    assert ("does not close" in message, parameter) == (True, "quotes")
    frame, _ = read_frame(b'a,b\n1,"x\n2,3"\n', ReadOptions(quotes=False))
    assert frame["b"].tolist() == ['"x', '3"']


def test_what_most_rows_would_be_lost_by_is_refused() -> None:
    message, parameter = refused("a,b\n1,2\n" + "1,2,3,4\n" * 3)
    assert message.startswith("3 of 4 rows have more cells than the 2 that line 1 has; ")
    assert parameter == "names_line"
    message, parameter = refused("a,b\nr,1,2\nr,3,4\n")
    assert "'r' is the first of 2 rows" in message
    assert parameter == "names_line"


ENCODED = {
    "cp1251": "имя;город\nИван;Москва\nОльга;Казань\n",
    "koi8_r": "имя;город\nИван;Москва\nОльга;Казань\n",
    "cp1250": "miasto;wojewodztwo\nŁódź;łódzkie\nGdańsk;pomorskie\n",
    "gb18030": "姓名,城市\n王伟,北京\n李娜,上海\n",
    "big5": "姓名,城市\n王偉,臺北\n李娜,高雄\n",
    "cp932": "名前,都市\n田中,東京\nすずき,大阪\nサトウ,京都\n",
    "cp949": "이름,도시\n김철수,서울\n이영희,부산\n",
    "cp1252": "prénom;âge\nAndré;5\nChloé;7\nNoël;8\n",
}


def test_the_encoding_is_guessed_and_can_be_said() -> None:
    for encoding, text in ENCODED.items():
        wanted, content = read(text), text.encode(encoding)
        assert read(content)[:3] == wanted[:3], encoding
        assert read(content)[3][0].startswith("not UTF-8, read as "), encoding
        assert read(content, encoding=encoding) == wanted, encoding
    assert read("name;city\nÖ;Ä\nÜ;É\n".encode("cp1252"))[3] == ["not UTF-8, read as Windows-1252"]


def test_a_long_line_or_many_lines_are_read_in_linear_time() -> None:
    """Each of these texts takes minutes where a pattern goes back over what it has read."""
    n = 200_000
    for text in (
        "a b\n" + "1" + " " * n + "2\n", "# c\n" * n + TABLE, "x,y\n" + "x,y\n" * n + "1,2\n",
        "@relation r\n@attribute a string\n@data\n" + " " * n + ",{5}\n",
        "@relation r\n@attribute a string\n@data\n'" + "\\a" * n + "\n",
        'a b\n1 "' + '"' * n + "\n2 3\n", "a|b\n---|---\n" + "|" * n + "\n1|2\n",
    ):  # fmt: skip
        try:
            read(text)
        except DataError:
            continue
