"""Data: examples, uploads with every oddity explained, and the file a link was made with."""

from __future__ import annotations

import re
from typing import Any
from unittest import TestCase

import pandas as pd
import pytest
import screens
from strategies import NASTY
from streamlit.elements.lib import policies
from streamlit.testing.v1 import AppTest

from dtviz.app import uploaded_file
from dtviz.app.controls import sentence
from dtviz.base import progress as work
from dtviz.data import uploads
from dtviz.data.gallery import GALLERY, GROUPS, build

GROW = "Grow a tree on this table"
PAGES = screens.PENGUINS.parents[1] / "pages"


def test_a_file_that_did_not_arrive_is_told_until_another_has_and_its_place_is_new() -> None:
    at = screens.app("data", data_tabs="Upload a table")
    first = at.file_uploader[0].id
    at = screens.send(at, "shelf", {"what": "cut"})
    assert "The file did not arrive" in screens.words(at)
    assert at.file_uploader[0].id != first
    assert "The file did not arrive" in screens.words(screens.run(at))
    at = upload("x,y\n1,a\n2,b\n", "good.csv", at)
    assert "did not arrive" not in screens.words(at)
    given = at.file_uploader[0].id
    at = screens.send(at, "shelf", {"what": "cut"})  # another place's: the table stays
    assert at.file_uploader[0].id == given
    assert "did not arrive" not in screens.words(at)
    assert "Grow a tree on this table" in [button.label for button in at.button]


def upload(content: bytes | str, name: str = "a.csv", at: AppTest | None = None) -> AppTest:
    """The page after that file was given to it."""
    if at is None:
        at = screens.seeded("data")
        at.session_state["data_tabs"] = "Upload a table"
        screens.run(at)
    data = content.encode() if isinstance(content, str) else content
    return screens.run(at.file_uploader[0].upload(name, data, "text/csv"))


def upload_in_app(content: bytes | str, name: str = "a.csv") -> AppTest:
    """The same in the whole app, where the page can go on to Grow."""
    return upload(content, name, screens.app("data", data_tabs="Upload a table"))


def button(at: AppTest, label: str) -> Any:
    return next(one for one in at.button if one.label == label)


def toggle(at: AppTest, label: str) -> Any:
    return next(one for one in at.toggle if one.label == label)


def target_box(at: AppTest) -> Any:
    return next(box for box in at.selectbox if box.label == "Target")


LIKELY = (
    ("{i},DE,{ab},{i}.5", "c"),  # the only labels
    ("{ab},DE,{xy},{i}.5", "a"),  # labels in the first column
    ("{i},{ab},{xy},{i}.5", "d"),  # labels of several columns: the last column
    ("{ab},DE,{i},{xy}", "d"),
    ("{i},{ab},DE,{xy}", "d"),
    ("{i},DE,{i}.5,{i}.25", "d"),  # a single value is no label
)


def test_the_likely_target_is_a_column_of_labels_that_stands_out_or_the_last() -> None:
    for line, target in LIKELY:
        rows = [line.format(i=i, ab="ab"[i % 2], xy="xy"[i % 3 > 0]) for i in range(30)]
        assert target_box(upload("\n".join(["a,b,c,d", *rows]))).value == target, line


# --- examples -------------------------------------------------------------------------------------


def test_examples_are_picked_and_changed_and_go_on_to_grow() -> None:
    at = screens.app("data")
    at = screens.run(at.button(key="pick_data_moons").click())
    at = screens.run(at.number_input(key="param_n").set_value(50))
    at = screens.run(at.number_input(key="param_seed").set_value(3))
    at = screens.run(at.slider(key="param_noise").set_value(0.5))
    assert screens.params_of(at) == {"data": "moons", "n": "50", "noise": "0.5", "seed": "3"}
    at = screens.run(at.button(key="pick_data_penguins").click())
    assert "left out" in at.text[0].value
    two = ["body_mass_g", "bill_depth_mm"]
    at = screens.run(at.multiselect(key="param_features").set_value(two))
    assert screens.params_of(at)["features"] == "body_mass_g,bill_depth_mm"
    at = screens.run(at.multiselect(key="param_features").set_value([]))
    assert [box.value for box in at.multiselect] == [two]
    at = screens.run(at.button(key="pick_data_xor").click())
    at = screens.run(button(at, "Grow a tree on it").click())
    assert screens.step(at)[0] == 0
    assert screens.params_of(at)["data"] == "xor"


def test_captions_of_examples_ask_and_nasty_addresses_leave_the_page() -> None:
    for name, example in GALLERY.items():
        assert example.about.endswith("?"), name
        assert not any(word in example.about for word in (" wins", "<=", "gains 0", "%")), name
    for nasty in NASTY[1::32]:
        text = nasty.encode("utf-8", "replace").decode()
        at = screens.page("data", data=text, log=text or "x", n=text, criterion=text)
        assert len(at.warning) == 1, text
        assert screens.live(at) == [], text
        assert screens.frame_of(at, "overview")["bare"], text


def test_the_picker_of_grow_has_a_slider_for_the_noise_of_a_generator_alone() -> None:
    at = screens.run(screens.app(picker=True))
    assert "param_noise" not in [one.key for one in at.slider]
    at = screens.run(at.button(key="pick_head_moons").click())
    at.session_state["picker"] = True
    at = screens.run(at)
    at = screens.run(at.slider(key="param_noise").set_value(0.6))
    assert screens.params_of(at)["noise"] == "0.6"


def test_the_source_and_licence_of_a_table_stand_under_its_question() -> None:
    for name in ("wine", "churn", "moons"):
        at = screens.page("data", data=name)
        sources = [one.value for one in at.caption if one.value.startswith("Source: ")]
        assert sources == [f"Source: {sentence(text)}" for text in [GALLERY[name].source] if text]
        assert "…" not in "".join(sources)
        assert screens.live(at) == [], name


def test_the_page_opens_on_the_examples_whose_rows_stand_as_they_would_be_written() -> None:
    at = screens.page("data")
    assert [one.value for one in at.caption][: len(GROUPS)] == list(GROUPS)
    pictures = [one for one in at.get("html") if "data:image/svg+xml" in one.proto.body]
    assert len(pictures) == len(GALLERY)
    assert "Iris." in screens.words(at)
    assert screens.frame_of(at, "overview")["bare"]
    assert not at.warning
    for params in ({"data": "sign_ups"}, {"data": "play_tennis"}, {"data": "moons", "n": "1"},
                   {"data": "blobs", "k": "200", "n": "400"}):  # fmt: skip
        at = screens.page("data", **params)
        data = build(screens.session_of(at).recipe)
        assert params.items() <= screens.params_of(at).items()
        assert screens.frame_of(at, "overview")["bare"], params
        shown = at.dataframe[0].value
        assert [*shown.columns] == [*data.features, data.target]
        assert len(shown) == min(data.n, 200), params
        assert not any(str(cell).endswith(".0") for cell in shown.to_numpy().ravel()), params
        classes = [data.class_names[code] for code in data.y[:200]]
        assert shown[data.target].tolist() == classes, params


# --- uploads --------------------------------------------------------------------------------------


def test_an_upload_grows_and_its_link_asks_for_the_file_again() -> None:
    at = upload_in_app(screens.PENGUINS.read_bytes(), "penguins.csv")
    at = screens.run(target_box(at).select("species"))
    at = screens.run(button(at, GROW).click())
    at.switch_page("pages/grow.py")
    for _ in range(3):
        at = screens.press(at, "next")
    link, look = screens.params_of(at), screens.screen(at)
    assert link["data"] == "file"
    assert link["log"] == "a3"

    other = AppTest.from_file(str(screens.PENGUINS.parents[1] / "app.py"), default_timeout=60)
    other.query_params.update(link)
    other = screens.run(other)
    assert "penguins.csv" in screens.words(other)
    other = screens.run(other.switch_page("pages/data.py"))
    assert "penguins.csv" in screens.words(other)
    other = upload("a,b\n1,x\n2,y\n", "other.csv", other)
    assert "made with the file penguins.csv" in screens.words(other)
    other.file_uploader[0].clear()
    other = upload(screens.PENGUINS.read_bytes(), "renamed.csv", screens.run(other))
    assert screens.screen(other) == look
    assert screens.params_of(other) == link


def test_a_link_to_a_file_can_be_given_that_on_every_page_and_leads_to_data() -> None:
    for path in sorted(file.stem for file in PAGES.glob("*.py")):
        frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": list("xxyy")})
        at = screens.page(path, data="file", sha="1", file="pen.csv", target="b")
        assert "made with the file pen.csv" in screens.words(at), path
        assert len(at.file_uploader) == 1, path
        assert (path == "data") is not any(
            one.label == "All ways to give data" for one in at.button
        )
        if path == "data":
            continue
        text = frame.to_csv(index=False)
        sha = uploads.fingerprint(text.encode())
        at = screens.page(path, data="file", sha=sha, file="pen.csv", target="b", max_depth="2")
        at = upload(text, "pen.csv", at)
        assert at.session_state["instrument"].visit.session.recipe.get("sha") == sha, path
        assert at.session_state["navigation"].waiting is None, path
        assert "made with the file" not in screens.words(at), path
        assert not at.file_uploader, path


def test_a_link_to_a_file_leads_to_data_which_opens_where_a_table_came_from() -> None:
    at = AppTest.from_file(str(screens.PENGUINS.parents[1] / "app.py"), default_timeout=60)
    at.query_params.update({"data": "file", "sha": "1", "file": "pen.csv", "target": "t"})
    at = screens.run(button(screens.run(at), "All ways to give data").click())
    assert [tab.label for tab in at.tabs][:3] == ["Examples", "Draw", "Upload a table"]
    assert "made with the file pen.csv" in screens.words(at)
    given = screens.run(screens.with_file("data", pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]})))
    drawn = screens.page("data", data="drawn", kind="classes", points="1~2~A_2~3~B")
    example = screens.page("data", data="iris")
    assert [len(at.file_uploader) for at in (given, drawn, example)] == [1, 0, 0]
    assert ["pad" in screens.frames(at) for at in (given, drawn, example)] == [False, True, False]


def test_a_table_in_use_stands_where_it_was_given_with_what_its_rows_are_for() -> None:
    rows = [1_000_000 + i / 4 for i in range(250)]
    frame = pd.DataFrame({**{f"c{i}": rows for i in range(31)}, "y": ["a", "b"] * 125})
    at = screens.run(screens.with_file("data", frame, "wide.csv"))
    assert "wide.csv is in use: 250 rows, 31 features, target y." in screens.words(at)
    shown = at.dataframe[0].value
    assert [*shown.columns] == [*frame.columns[:30], "y"]
    assert [float(text) for text in shown["c0"]] == rows[:200]
    assert shown["c0"][0] == "1000000"
    assert "The first 200 of 250 rows." in screens.words(at)
    assert "The first 30 of 31 features." in screens.words(at)
    assert screens.frame_of(at, "overview")["description"] == "250 rows, 31 features"
    for refused in ("nothing", "a\nx\ny\n"):
        at = upload(refused, "bad.csv", at)
        assert "wide.csv is in use" in screens.words(at)
    at = upload("a,y\n1,u\n2,v\n", "b.csv", at)
    assert "in use" not in screens.words(at)
    assert at.dataframe[0].value.shape == (2, 2)
    kinds = ["train"] * 4 + ["validation"] + ["test"] * 2
    days = pd.date_range("2024-03-01", periods=7)
    frame = pd.DataFrame({"x": [0.1, 1e15, None, -2.5, 5, 6, 7], "day": days, "kind": kinds})
    frame = frame.assign(w=2.0, y=[756115.25, 1, 2, 3, 4, 5, 6])
    asked = {"task": "regression", "role": "kind", "sample_weight": "w", "features": '["x", "day"]'}
    at = screens.run(screens.with_file("data", frame, **asked))
    told = "4 rows for training, 1 for validation and 2 for test, weight 8, 2 features, 1 with"
    assert f"a.csv is in use: {told} missing values, target y." in screens.words(at)
    assert at.dataframe[0].value.fillna("-").to_numpy().tolist() == [
        ["0.1", "2024-03-01", "756115.25"],
        ["1000000000000000", "2024-03-02", "1"],
        ["-", "2024-03-03", "2"],
        ["-2.5", "2024-03-04", "3"],
    ]


REFUSED: tuple[tuple[bytes | str, str], ...] = (
    ("", "the file is empty"), (bytes(range(256)) * 4, ""), ('a,b\n1,"x\n2,y\n', "quote"),
)  # fmt: skip
READ: tuple[tuple[bytes | str, str, str], ...] = (
    ("a,b\n1,x\n", "1 of 1 row can be used, 1 feature, target b", "b is x in every row"),
    ("a,b\n1,2.5\n2,2.5\n", "2 of 2 rows can be used", "b is 2.5 in every row"),
    ("a,b\n1,x\n,y\n3,\n", "2 of 3 rows can be used", ""),
)


def test_a_file_is_read_or_refused_with_a_reason() -> None:
    for content, says in REFUSED:
        at = upload(content)
        assert len(at.error) == 1, content
        assert len(at.error[0].value) > 20, content
        assert says in screens.words(at), content
        assert screens.live(at) == [], content
    for content, says, warning in READ:
        at = upload(content)
        assert says in screens.words(at), content
        assert len(at.warning) == bool(warning), content
        assert warning in screens.words(at), content


def test_choices_that_make_no_data_say_what_to_do() -> None:
    at = upload("a,b\n" + "".join(f"{i},c{i}\n" for i in range(600)))
    at = screens.run(target_box(at).select("b"))
    assert "600 distinct values; at most 500" in screens.words(at)
    assert GROW not in [label.label for label in at.button]
    at = upload("a,b\n1,x\n2,y\n")
    assert "holds text" in screens.words(screens.run(at.radio[0].set_value("regression")))
    at = screens.run(upload("a,b\n1,x\n2,y\n").multiselect[0].set_value([]))
    assert "choose at least one feature" in screens.words(at)
    at = upload("for,x,y\ntrain,1,u\ntrain,2,v\ntset,1,u\n")
    at = screens.run(judged(at).select_index(2))
    says = "'for' must say train, validation or test in every row; not 'tset' (line 4)"
    assert says in screens.words(at)


FOOLING = "id,a,mm,inch,one,y\n" + "".join(
    f"{i + 900},{i * i % 37}.5,{i * 5 % 13 * 25.4},{i * 5 % 13},1,{'uv'[i % 2]}\n"
    for i in range(30)
)


RARE = "city,y\n" + "".join(
    f"{city},{'ab'[k % 2]}\n" for k, city in enumerate([*(["Ulm", "Bonn"] * 50), "Hof", "*Jena*"])
)


def test_rare_values_are_put_together_by_one_click_and_taken_apart_by_another() -> None:
    at = upload_in_app(RARE)
    toggle = next(one for one in at.toggle if "together" in one.label)
    assert "2 values of city have fewer than 5 rows each" in screens.words(at)
    assert "put together as" not in screens.words(at)
    at = screens.run(toggle.set_value(True))
    assert "2 values that fewer than 5 rows have are put together as 'other': '*Jena*', 'Hof'" in (
        " ".join(str(one.value) for one in at.text)
    )
    toggle = next(one for one in at.toggle if "together" in one.label)
    assert "put together as" not in screens.words(screens.run(toggle.set_value(False)))
    at = screens.run(toggle.set_value(True))
    at = screens.run(button(at, GROW).click())
    assert screens.params_of(at)["rare"] == "5"
    assert sorted(screens.flat(screens.frame_of(at, "stage"))["across"]["lanes"]) == [
        "Bonn",
        "Ulm",
        "other",
    ]


def test_features_that_would_fool_a_tree_are_left_out_by_one_click_and_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = upload(FOOLING)
    assert "3 features would fool a tree" in screens.words(at)
    assert "id: a value of its own in every row" in screens.words(at)
    assert "inch: in the order of 'mm'" in screens.words(at)
    assert "one: one value in every row" in screens.words(at)
    assert at.multiselect[0].value == ["id", "a", "mm", "inch", "one"]
    grown = screens.run(button(upload_in_app(FOOLING), GROW).click())
    assert "id" in screens.params_of(grown)["features"]  # unless it is left out
    at = screens.run(button(at, "Leave these 3 out").click())
    assert at.multiselect[0].value == ["a", "mm"]
    assert "30 of 30 rows can be used, 2 features, target y" in screens.words(at)
    assert "fool a tree" not in screens.words(at)
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)  # told once a process
    with TestCase().assertNoLogs(policies.__name__):
        at = upload("x,one,y\n" + "\n".join(f"{i % 7},DE,{'ab'[i % 2]}" for i in range(30)))
        at = screens.run(button(at, "Leave it out").click())
    assert at.multiselect[0].value == ["x"]


WEIGHED = "w,x,y\n" + "".join(f"{i % 3},{i * i % 37},{'uvv'[i % 3]}\n" for i in range(30))


def test_a_column_and_the_classes_say_what_rows_count_for() -> None:
    at = upload_in_app(WEIGHED)
    assert "weight" not in screens.words(at)
    by_row, by_class = (one for one in at.selectbox if "counts for" in one.label)
    assert by_row.options == ["1", "w", "x"]
    at = screens.run(by_row.select("w"))
    assert "20 of 30 rows can be used, weight 30, 1 feature, target y" in screens.words(at)
    assert at.multiselect[0].value == ["x"]
    by_class = next(one for one in at.selectbox if one.label == "A class counts for")
    at = screens.run(by_class.select("balanced"))
    assert "the weight of a row is times that of its class: v 1" in at.text[-1].value
    at = screens.run(button(at, GROW).click())
    link = screens.params_of(at)
    assert (link["sample_weight"], link["class_weight"]) == ("w", "balanced")
    at.switch_page("pages/grow.py")
    assert "class_weight" not in screens.params_of(screens.press(screens.run(at), "undo"))


def test_weights_of_classes_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, typed, written in (
        ("class_weight", [4.0, 1.0], '["u=4","v=1"]'),
        ("priors", [0.5, 1.5], '["u=0.25","v=0.75"]'),
    ):

        def editor(frame: pd.DataFrame, cells: Any = typed, **_: Any) -> pd.DataFrame:
            if "rows" not in frame:
                return frame  # that of the types
            assert frame["rows"].tolist() == [10, 20]
            return frame.assign(**{frame.columns[-1]: cells})

        monkeypatch.setattr("streamlit.data_editor", editor)
        at = upload_in_app(WEIGHED)
        by_class = next(one for one in at.selectbox if one.label == "A class counts for")
        at = screens.run(by_class.select(name))
        at = screens.run(button(at, GROW).click())
        assert screens.params_of(at)[name] == written, (name, typed, written)


def costs_toggle(at: AppTest) -> list[Any]:
    return [one for one in at.toggle if one.label.startswith("Mistakes cost")]


def test_costs_of_mistakes_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def editor(frame: pd.DataFrame, **_: Any) -> pd.DataFrame:
        if "class" not in frame:
            return frame  # that of the types
        assert frame["class"].tolist() == ["u", "v"]
        assert frame.iloc[:, 1:].to_numpy().tolist() == [[0, 1], [1, 0]]
        return frame.assign(**{frame.columns[1]: [7.0, 0.5], frame.columns[2]: [4.0, 0.0]})

    monkeypatch.setattr("streamlit.data_editor", editor)
    at = upload_in_app(WEIGHED)
    by_class = next(one for one in at.selectbox if one.label == "A class counts for")
    at = screens.run(by_class.select("balanced"))
    at = screens.run(costs_toggle(at)[0].set_value(True))
    assert "what a mistake costs, by which the weight of a row is raised" in at.text[-1].value
    at = screens.run(button(at, GROW).click())
    link = screens.params_of(at)
    assert link["costs"] == '["u=0,4","v=0.5,0"]'
    assert link["class_weight"] == "balanced"


def test_costs_are_1_unless_typed_and_those_that_cannot_be_are_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = upload_in_app(WEIGHED)
    at = screens.run(costs_toggle(at)[0].set_value(True))
    at = screens.run(button(at, GROW).click())
    assert screens.params_of(at)["costs"] == '["u=0,1","v=1,0"]'
    many = "\n".join(f"{k},c{k % 9}" for k in range(18))
    assert not costs_toggle(upload(f"x,y\n{many}\n"))
    at = upload("x,y\n1,1.5\n2,2.5\n3,4.5\n")
    assert [box.label for box in at.selectbox if "counts" in box.label] == ["A row counts for"]

    def editor(frame: pd.DataFrame, **_: Any) -> pd.DataFrame:
        return frame.assign(**{name: 0.0 for name in frame if name.startswith("called")})

    monkeypatch.setattr("streamlit.data_editor", editor)
    at = upload_in_app(WEIGHED)
    at = screens.run(costs_toggle(at)[0].set_value(True))
    assert "above 0 for some mistake with each class" in at.error[0].value


def test_the_type_of_a_column_is_said_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {"zip": "category", "day": "month-first", "x": "date"}

    def editor(frame: pd.DataFrame, **_: Any) -> pd.DataFrame:
        chosen = [
            kinds.get(name, was)
            for name, was in zip(frame["column"], frame["read as"], strict=True)
        ]
        return frame.assign(**{"read as": chosen})

    monkeypatch.setattr("streamlit.data_editor", editor)
    rows = "".join(
        f"{i % 3},{i % 5 + 1}/2/2024,{i % 9 + 1}/3/24,{i},{'ab'[i % 2]}\n" for i in range(30)
    )
    at = upload_in_app("zip,day,due,x,y\n" + rows)
    assert "30 of 30 cells in 'x' are not a date, such as '0'" in screens.words(at)
    assert "30 of 30 rows can be used, 4 features, target y" in screens.words(at)
    assert "its type by hand: month-first" in "\n".join(one.value for one in at.text)
    assert screens.live(at) == []
    at = screens.run(button(at, GROW).click())
    assert screens.params_of(at)["types"] == '["day=month-first","due=day-first","zip=category"]'


def test_a_word_of_a_missing_value_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def editor(frame: pd.DataFrame, **_: Any) -> pd.DataFrame:
        assert frame["missing"].tolist() == ["", "NA"]
        return frame.assign(missing=["-999", ""])

    places = "x,place\n" + "-999,NA\n1,EU\n2,AF\n3,EU\n" * 10
    assert "30 of 40 rows can be used" in screens.words(upload_in_app(places))
    monkeypatch.setattr("streamlit.data_editor", editor)
    at = upload_in_app(places)
    assert "40 of 40 rows can be used, 1 feature, 1 with missing values" in screens.words(at)
    at = screens.run(button(at, GROW).click())
    assert screens.params_of(at)["missing_values"] == '["place=","x=-999"]'


@pytest.mark.nightly
def test_of_many_columns_all_are_features_but_those_left_out_by_hand_or_by_a_click() -> None:
    names = [f"c{i}" for i in range(40)]
    cells = [[str((i * j + i) % 11) for j in range(40)] + ["uv"[i % 2]] for i in range(9)]
    at = upload_in_app("\n".join(map(",".join, [[*names, "y"], *cells])))
    assert "9 of 9 rows can be used, 40 features, target y" in screens.words(at)
    at = screens.run(at.multiselect[0].set_value(["c0", "c7"]))
    assert "9 of 9 rows can be used, 38 features, target y" in screens.words(at)
    at = screens.run(toggle(at, "38 of 40 features").set_value(False))
    assert at.multiselect[0].value == names[:12]
    assert "9 of 9 rows can be used, 12 features" in screens.words(at)
    at = screens.run(toggle(at, "All 40 features").set_value(True))
    at = screens.run(at.multiselect[0].set_value(["c0", "c7"]))
    at = screens.run(button(at, GROW).click())
    link = screens.params_of(at)
    assert "features" not in link
    assert link["without"] == "c0,c7"
    names = [f"c{i}" for i in range(20)]
    rows = [",".join([str(i), *["1", *"27" * 9]]) + f",{'uv'[i % 2]}" for i in range(30)]
    at = upload(",".join([*names, "y"]) + "\n" + "\n".join(rows) + "\n")
    assert "20 features would fool a tree" in screens.words(at)
    at = screens.run(at.multiselect[0].set_value(names[2:]))
    at = screens.run(button(at, "Leave these 2 out").click())
    assert at.multiselect[0].value == [*names[2:], "c0", "c1"]


def test_the_preview_shows_numbers_as_they_are() -> None:
    at = upload("a,b,c,d,y\n7,1.5,1e30,true,u\n,2,1,,v\n9,2,3,false,u\n")
    shown = at.dataframe[0].value
    assert shown["a"].tolist() == [7, pd.NA, 9]
    assert shown["b"].tolist() == [1.5, 2.0, 2.0]
    assert shown["c"].tolist() == ["1e+30", "1.0", "3.0"]
    assert shown["d"].fillna("").tolist() == ["True", "", "False"]
    columns = upload("a,b,y\n7,1.5,u\n,2,v\n9,2,u\n").dataframe[1].value
    assert columns.drop(columns=["shape", "read as", "missing"]).to_numpy().tolist() == [
        ["a", "whole numbers", 2, 1],
        ["b", "numbers", 2, 0],
        ["y", "text", 2, 0],
    ]
    named = upload("a,y\n<b>,1,x\nr2,2.5,y\nr3,3,y\n").dataframe[0].value
    assert (named.index.tolist(), named["a"].tolist()) == (["<b>", "r2", "r3"], [1.0, 2.5, 3.0])
    wide = ",".join(f"c{i}" for i in range(60))
    at = upload(f"{wide}\n" + ",".join("1" * 60) + "\n")
    assert at.dataframe[0].value.shape == (1, 30)
    assert "The first 30 columns are shown." in screens.words(at)


def counted(monkeypatch: pytest.MonkeyPatch, place: Any, name: str) -> list[object]:
    """Has an element for each call from now on."""
    calls: list[object] = []
    real = getattr(place, name)

    def call(*given: object) -> object:
        calls.append(given)
        return real(*given)

    monkeypatch.setattr(place, name, call)
    return calls


def test_the_bytes_of_a_file_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in ("a,b,c\n1,2,x\n3,4,y\n", 'a,b\n1,"x\n2,y\n'):
        reads = counted(monkeypatch, uploaded_file, "read_file_slices")
        hashes = counted(monkeypatch, uploads, "fingerprint")
        at = screens.run(screens.run(upload(content)))
        at = screens.run(at.multiselect[0].set_value(["b"])) if at.multiselect else screens.run(at)
        assert (len(reads), len(hashes)) == (1, 1), content
        at = upload("a,c\n1,x\n2,y\n", "other.csv", at)
        assert (len(reads), len(hashes)) == (2, 2), content
        assert "2 of 2 rows can be used" in screens.words(at), content


def test_a_large_table_shows_how_far_it_is_can_be_stopped_and_is_let_go_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work, "SLICE_SECONDS", 0)  # each run does one step
    reads = counted(monkeypatch, uploaded_file, "read_file_slices")
    at = upload("a,y\n" + "1,u\n2,v\n" * 6_000, "<b>.csv")
    shares = []
    while not at.dataframe:
        (bar,) = at.get("progress")
        assert bar.proto.text.startswith(r"Reading \<b\>\.csv: ")
        shares.append(bar.proto.value)
        at = screens.run(at)
    assert shares == sorted(shares)
    assert len({*shares}) > 1
    assert "12,000 of 12,000 rows can be used" in screens.words(at)
    assert len(reads) == 1
    at = upload("b,y\n" + "1,u\n2,v\n" * 6_000, "b.csv", at)
    at = screens.run(button(at, "Stop").click())
    assert not screens.run(screens.run(at)).dataframe
    at = screens.run(button(at, "Go on").click())
    while not at.dataframe:
        at = screens.run(at)
    assert len(reads) == 2
    monkeypatch.setattr(work, "SLICE_SECONDS", 0)
    at = upload("a,y\n" + "1,u\n2,v\n" * 6_000)
    at.file_uploader[0].clear()
    at = upload("b,y\n" + "1,u\n2,v\n" * 6_000, "b.csv", screens.run(at))
    jobs = at.session_state["instrument"].jobs
    assert [asked[:2] for asked in jobs] == [("read", "given")]
    while not at.dataframe:
        at = screens.run(at)
    assert not jobs


FIRST_LINE = "The first line is data"


def test_the_first_line_can_be_data() -> None:
    at = upload_in_app("1,2,x\n3,4,y\n")
    assert "1 of 1 row can be used" in screens.words(at)
    at = screens.run(toggle(at, FIRST_LINE).set_value(True))
    assert "2 of 2 rows can be used, 2 features, target column 3" in screens.words(at)
    at = screens.run(button(at, GROW).click())
    link = screens.params_of(at)
    assert link["header"] == "False"
    other = AppTest.from_file(str(screens.PENGUINS.parents[1] / "app.py"), default_timeout=60)
    other.query_params.update(link)
    other = screens.run(screens.run(other).switch_page("pages/data.py"))
    assert toggle(other, FIRST_LINE).value
    assert screens.params_of(upload("1,2,x\n3,4,y\n", at=other)) == link


def test_the_names_can_stand_in_a_line_that_is_chosen() -> None:
    text = "one, two, three\nfour, five, six\nx,y,k\n" + "1,2,a\n3,4,b\n" * 6
    at = upload_in_app(text)
    assert list(at.dataframe[0].value) == ["one", "two", "three"]
    line = next(box for box in at.number_input if box.label == "The names stand in line")
    at = screens.run(line.set_value(3))
    assert list(at.dataframe[0].value) == ["x", "y", "k"]
    assert "12 of 12 rows can be used, 2 features, target k" in screens.words(at)
    at = screens.run(button(at, GROW).click())
    link = screens.params_of(at)
    assert link["names_line"] == "3"
    other = AppTest.from_file(str(screens.PENGUINS.parents[1] / "app.py"), default_timeout=60)
    other.query_params.update(link)
    other = screens.run(screens.run(other).switch_page("pages/data.py"))
    assert screens.params_of(upload(text, at=other)) == link


def test_where_a_choice_may_help_the_choices_open() -> None:
    at = upload('{"a": [{"x": 1, "y": 2}], "b": [{"x": 3, "y": 4}]}', "two.json")
    assert "choose one by its name" in screens.words(at)
    (choices,) = [box for box in at.expander if box.label == "Read otherwise"]
    assert choices.proto.expanded
    part = next(box for box in at.selectbox if box.label == "The table is in")
    at = screens.run(part.set_value("b"))
    assert at.dataframe[0].value["x"].tolist() == [3]


# --- rows to judge on -----------------------------------------------------------------------------

ROLES = "x,y,for\n" + "".join(
    f"{i},{'uv'[i % 2]},{word}\n" for i, word in enumerate(["train"] * 6 + ["val"] * 2 + ["test"])
)


def judged(at: AppTest) -> Any:
    return next(box for box in at.selectbox if box.label == "Judge it on")


def test_a_column_that_says_what_rows_are_for_is_taken_so() -> None:
    at = upload_in_app(ROLES)
    assert judged(at).value == 2
    assert judged(at).options[2] == "What for says"
    assert (
        "6 rows for training, 2 for validation and 1 for test, 1 feature, target y"
        in screens.words(at)
    )
    at = screens.run(judged(at).select_index(0))
    assert "9 of 9 rows can be used, 2 features" in screens.words(at)
    at = screens.run(judged(at).select_index(2))
    at = screens.run(button(at, GROW).click())
    assert screens.params_of(at)["role"] == "for"
    at = screens.run(at.switch_page("pages/overfit.py"))
    assert "Judged on 2 validation rows" in screens.words(at)
    assert re.search(r"Kept to the end: [01] of 1 test row is wrong\.", screens.words(at))


@pytest.mark.nightly
def test_a_second_table_judges_and_its_link_asks_for_both_or_says_why_not() -> None:
    first, second = "x,y\n1,u\n2,v\n3,v\n", "y,x\nu,1\nv,1\n"
    at = screens.run(judged(upload_in_app(first, "first.csv")).select_index(1))
    assert "Give the table of the test rows" in screens.words(at)
    assert GROW not in [one.label for one in at.button]
    at = screens.run(at.file_uploader[1].upload("second.csv", second.encode(), "text/csv"))
    assert "3 rows for training, 2 for test, 1 feature, target y" in screens.words(at)
    at = screens.run(button(at, GROW).click())
    link = screens.params_of(at)
    assert ", 1 of 2 test rows." in screens.words(screens.run(at.switch_page("pages/overfit.py")))

    other = AppTest.from_file(str(screens.PENGUINS.parents[1] / "app.py"), default_timeout=60)
    other.query_params.update(link)
    other = screens.run(screens.run(other).switch_page("pages/data.py"))
    assert "made with the file first.csv and the file second.csv" in screens.words(other)
    other = upload(first, "first.csv", other)
    other = screens.run(other.file_uploader[1].upload("second.csv", second.encode(), "text/csv"))
    assert screens.params_of(other) == link
    at = screens.run(judged(upload("x,y\n1,u\n2,v\n3,v\n")).select_index(1))
    at = screens.run(at.file_uploader[1].upload("b.csv", b"z,y\n1,u\n2,v\n", "text/csv"))
    assert "the test rows have no column 'x'; they need it" in screens.words(at)
    at = screens.run(at.file_uploader[1].upload("b.csv", b"", "text/csv"))
    assert "the file is empty" in screens.words(at)


# --- pasted ---------------------------------------------------------------------------------------

CELLS = "a\tb\ty\n1,5\t2\tu\n2,5\t1\tv\n3,5\t2\tv\n"


def paste(at: AppTest, text: str) -> AppTest:
    return screens.run(at.text_area[0].set_value(text))


def test_pasted_cells_are_read_as_a_file_is_and_their_link_goes_on_once_they_are_pasted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads = counted(monkeypatch, uploaded_file, "read_file_slices")
    at = screens.run(paste(screens.app("data", data_tabs="Upload a table"), CELLS))
    assert "3 of 3 rows can be used, 2 features, target y" in screens.words(at)
    at = screens.run(button(at, GROW).click())
    assert screens.params_of(at)["file"] == "pasted table"
    assert (screens.step(at)[0], len(reads)) == (0, 1)
    at = screens.seeded("data")
    at.session_state["data_tabs"] = "Upload a table"
    for text in ("\0,b\n1,2\n3,4\n", screens.HOSTILE[0], "{", CELLS):
        at = paste(screens.run(at), text)
        assert at.error or at.dataframe, text
        assert screens.live(at) == [], text
    at = upload("p,q\n1,x\n2,y\n", at=at)
    assert "target q" in screens.words(at)
    assert not at.text_area
    at = screens.app("data", data_tabs="Upload a table")
    at = screens.run(button(paste(at, CELLS), GROW).click())
    at.switch_page("pages/grow.py")
    link = screens.params_of(screens.press(at, "next"))
    other = AppTest.from_file(str(screens.PENGUINS.parents[1] / "app.py"), default_timeout=60)
    other.query_params.update(link)
    other = screens.run(screens.run(other).switch_page("pages/data.py"))
    assert "made with the file pasted table" in screens.words(other)
    assert screens.params_of(paste(other, CELLS)) == link
