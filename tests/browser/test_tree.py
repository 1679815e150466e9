"""The tree on Grow: its order, folding, keys, zoom, what it saves, and how it fails."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from acts import MOONS, SENT, Settled, bounds, expect_step, middle, picture, press
from playwright.sync_api import Locator, Page, expect

LARGE = "/?data=moons&n=600&noise=0.5&seed=7&log=a90"
MANY = "/?data=moons&n=2000&noise=0.4&order=best"
FAR = "/?data=moons&n=2000&noise=0.4&log=a300"
MODULES = "/_stcore/bidi-components/dtviz.view/"
Visit = Callable[[str], Locator]


@pytest.fixture
def move(moved: Visit, settled: Settled) -> Visit:
    """`move(path)` is the tree in the tab that tests share; it keeps what was folded."""
    return lambda path: stands(moved(path), settled)


def stands(page: Page, settled: Settled) -> Locator:
    tree = picture(page, "tree")
    expect(tree).to_have_attribute("data-step", re.compile("."))
    settled(page)
    return tree


def shown(tree: Locator) -> set[int]:
    ids = tree.locator("g.node").evaluate_all("all => all.map((one) => one.id)")
    return {int(one[1:]) for one in ids}


def node(tree: Locator, name: int) -> Locator:
    return tree.locator(f"g.node[id=n{name}]")


def scale(tree: Locator) -> float:
    text = tree.locator(".sheet").evaluate("one => one.style.transform")
    found = re.search(r"scale\((.*)\)", text)
    assert found
    return float(found[1])


def nearer(tree: Locator) -> None:
    """Zoom in until all that is written in the nodes is drawn."""
    while tree.locator(".box").get_attribute("data-detail") != "near":
        tree.get_by_label("Larger").click()


def standing(tree: Locator) -> str:
    """The id of the node that has the keyboard."""
    return str(tree.evaluate("one => one.getRootNode().activeElement?.id ?? ''"))


def test_a_large_tree_opens_folded_and_space_unfolds_without_the_server(
    move: Visit, settled: Settled
) -> None:
    tree = move(LARGE)
    page = tree.page
    first = shown(tree)
    focus = int(tree.locator("g.node.focus").evaluate("one => one.id.slice(1)"))
    assert {focus >> k for k in range(focus.bit_length())} <= first
    assert re.fullmatch(rf"{len(first)} of \d+ nodes; .*", tree.locator(".count").inner_text())
    shut = tree.locator("g.node[aria-expanded=false]").first
    hidden = int(re.sub(r"\D", "", shut.locator(".fold text").inner_html()))
    name = int(shut.evaluate("one => one.id.slice(1)"))
    sent = page.evaluate(SENT)
    shut.focus()
    page.keyboard.press("Space")
    expect(node(tree, name)).to_have_attribute("aria-expanded", "true")
    assert shown(tree) - first >= {2 * name, 2 * name + 1}
    assert len(shown(tree) - first) == hidden
    assert standing(tree) == f"n{name}"
    assert page.evaluate(SENT) == sent
    press(page, settled, "back")
    expect(node(tree, name)).to_have_attribute("aria-expanded", "true")
    node(tree, name).focus()
    page.keyboard.press("Space")
    expect(node(tree, name)).to_have_attribute("aria-expanded", "false")


@pytest.mark.nightly
def test_a_count_of_what_is_folded_answers_also_around_its_words(move: Visit) -> None:
    tree = move(LARGE)
    expect(tree.locator(".box")).to_have_attribute("data-detail", "mid")
    shut = tree.locator("g.node[aria-expanded=false]").first
    name = str(shut.get_attribute("id"))
    target, words = (bounds(shut.locator(f".shut {one}")) for one in (".hit", "text"))
    assert target["height"] >= 18
    for side, extent in (("x", "width"), ("y", "height")):
        assert target[side] < words[side] + 1
        assert target[side] + target[extent] > words[side] + words[extent] - 1
    tree.page.mouse.click(target["x"] + 1, target["y"] + 2)
    expect(tree.locator(f"#{name}")).to_have_attribute("aria-expanded", "true")
    tree.locator(f"#{name}").focus()
    tree.page.keyboard.press("Space")
    expect(tree.locator(f"#{name}")).to_have_attribute("aria-expanded", "false")


OVERLAPS = """one => {
    const boxes = [...one.querySelectorAll("g.fold.shut text, .number")]
      .filter((each) => each.checkVisibility() && each.textContent)
      .map((each) => [each.textContent, each.getBoundingClientRect()]);
    return boxes.flatMap(([words, a], k) => boxes.slice(k + 1)
      .filter(([, b]) => a.left < b.right && b.left < a.right)
      .filter(([, b]) => a.top + 3 < b.bottom && b.top + 3 < a.bottom)
      .map(([others]) => `${words} / ${others}`));
  }"""


@pytest.mark.nightly
def test_counts_of_what_is_folded_stand_below_the_last_level_and_over_no_other_words(
    move: Visit, settled: Settled
) -> None:
    tree = move(MANY)
    press(tree.page, settled, "end")
    expect(tree.locator(".box")).to_have_attribute("data-detail", "mid")
    expect(tree.locator(".fold.shut.free").nth(3)).to_be_visible()
    assert tree.evaluate(OVERLAPS) == []


@pytest.mark.nightly
def test_a_tree_seen_from_very_far_shows_its_edges_what_is_folded_and_the_node_looked_at(
    move: Visit,
) -> None:
    tree = move(FAR)
    expect(tree.locator(".box")).to_have_attribute("data-detail", "far")
    width = "(one) => parseFloat(getComputedStyle(one).strokeWidth) * one.getScreenCTM().a"
    assert tree.locator("g.edge path").first.evaluate(width) >= 0.7
    assert tree.locator("g.node.focus > .outline").evaluate(width) >= 3
    dash = tree.locator(".fold.shut rect:not(.hit)").first
    expect(dash).to_be_visible()
    assert dash.evaluate("(one) => one.getBoundingClientRect().width") > 5
    expect(tree.locator(".fold.shut text").first).to_be_hidden()


BESIDE = """one => Math.min(...[...one.querySelectorAll("g.node")].flatMap((node) => {
    const box = node.querySelector(":scope > .outline").getBBox();
    return [...node.querySelectorAll(":scope > text:not(.number)")]
      .filter((text) => text.checkVisibility())
      .map((text) => text.getBBox())
      .flatMap(({ x, width }) => [x - box.x, box.x + box.width - x - width]);
  }))"""


@pytest.mark.nightly
@pytest.mark.parametrize("data", ["penguins", "good_place"])
def test_the_words_of_a_node_keep_off_its_rim(move: Visit, data: str) -> None:
    tree = move(f"/?data={data}&log=a6")
    assert tree.evaluate(BESIDE) >= 2
    tree.get_by_text("full", exact=True).click()
    expect(tree.locator(".box")).to_have_attribute("data-detail", "near")
    assert tree.evaluate(BESIDE) >= 4
    tree.page.keyboard.press("Escape")
    tree.get_by_label("Show the whole tree").click()


DEEP = "/?data=moons&n=2000&noise=0.6&seed=7&log=a400"
IN_SIGHT = """one => {
    const { left, right, top, bottom } = one.querySelector(".box").getBoundingClientRect();
    return [...one.querySelectorAll("g.node > .outline")].filter((each) => {
      const box = each.getBoundingClientRect();
      return box.right > left && box.left < right && box.bottom > top && box.top < bottom;
    }).length; }"""


@pytest.mark.nightly
def test_all_of_a_large_tree_is_in_sight_once_it_is_unfolded_and_no_wheel_loses_it(
    move: Visit,
) -> None:
    tree = move(DEEP)
    page, first = tree.page, scale(tree)
    tree.get_by_label("Larger").click()
    tree.get_by_label("Unfold the whole tree").click()
    expect(tree.locator(".fold.shut")).to_have_count(0)
    many = len(shown(tree))
    assert many > 500
    assert tree.evaluate(IN_SIGHT) == many
    box = bounds(tree.locator(".box"))
    for x, y in ((0.02, 0.95), (0.98, 0.95), (0.5, 0.5)):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.keyboard.down("Control")
        for _ in range(3):
            page.mouse.wheel(0, -1000)
            assert tree.evaluate(IN_SIGHT) > 0
        page.keyboard.up("Control")
        tree.get_by_label("Show the whole tree").click()
    tree.get_by_label("Fold what is deep").click()
    expect(tree.locator(".fold.shut").first).to_be_attached()
    assert scale(tree) == first


def test_keys_walk_the_tree_keep_their_place_and_do_not_step(move: Visit, settled: Settled) -> None:
    tree = move(MOONS + "&log=a3")
    page = tree.page
    tree.locator("g.node[tabindex='0']").focus()
    for key, to in (("Home", "n1"), ("ArrowDown", "n2"), ("ArrowRight", "n3"), ("ArrowLeft", "n2")):
        page.keyboard.press(key)
        assert standing(tree) == to
    expect(tree).to_have_attribute("data-lit", "2")
    page.keyboard.press("Enter")
    page.wait_for_url("**focus=2**")
    settled(page)
    expect(node(tree, 2)).to_have_attribute("aria-selected", "true")
    assert standing(tree) == "n2"
    page.keyboard.press("ArrowUp")
    assert standing(tree) == "n1"
    expect_step(page, 3)
    before = scale(tree)
    page.keyboard.press("-")
    assert scale(tree) == before  # all is in sight
    page.keyboard.press("+")
    larger = scale(tree)
    assert larger > before
    page.keyboard.press("+")
    page.keyboard.press("-")
    assert scale(tree) == pytest.approx(larger)
    page.keyboard.press("0")
    assert scale(tree) == before


@pytest.mark.nightly
def test_ctrl_wheel_zooms_the_wheel_alone_does_not_and_a_drag_is_no_click(move: Visit) -> None:
    tree = move(MOONS + "&log=a2")
    page = tree.page
    first = scale(tree)
    x, y = middle(tree.locator(".box"))
    page.mouse.move(x, y)
    page.mouse.wheel(0, 100)
    assert scale(tree) == first
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    expect(tree.locator(".box.zoomed")).to_be_visible()
    assert scale(tree) > first
    before = middle(node(tree, 1))
    page.mouse.down()
    page.mouse.move(x + 30, y + 20, steps=5)
    page.mouse.move(x + 60, y + 40, steps=5)
    page.mouse.up()
    after = middle(node(tree, 1))
    assert 40 < after[0] - before[0] < 70
    assert "focus" not in page.url
    tree.get_by_label("Show the whole tree").click()
    assert scale(tree) == first
    for label, sign in (("Larger", 1), ("Smaller", -1)):
        fitted = scale(tree)
        tree.get_by_label(label).click()
        assert (scale(tree) - fitted) * sign > 0
    tree.get_by_label("Show the whole tree").click()


LESSONS = {"iris": ("/?data=iris&log=a7", 8), "moons": ("/?data=moons&n=200&log=a12", 13)}
TOLD = """one => {
    const plain = (text) => text.replaceAll("\\u00a0", " ").trim();
    const seen = (each) => each?.checkVisibility() ? plain(each.textContent) : "";
    const inside = (text, box) => {
      const [words, rim] = [text, box].map((each) => each.getBoundingClientRect());
      const [low, high] = [words.top - rim.top, rim.bottom - words.bottom];
      return words.left > rim.left && words.right < rim.right && low > -1 && high > -1;
    };
    return Object.fromEntries([...one.querySelectorAll("g.node")].map((node) => {
      const lines = [...node.querySelectorAll(".brief tspan")].map(seen);
      const fits = inside(node.querySelector(".brief"), node.querySelector(":scope > .outline"));
      return [node.id.slice(1), [lines, seen(node.querySelector(".number")), fits]];
    })); }"""


@pytest.mark.nightly
@pytest.mark.parametrize("lesson", LESSONS)
def test_beside_the_stage_every_node_of_a_lesson_has_its_rule_and_its_number(
    move: Visit, lesson: str
) -> None:
    path, leaves = LESSONS[lesson]
    tree = move(path)
    told = tree.evaluate(TOLD)
    assert len(told) == len(shown(tree)) == 2 * leaves - 1
    for name, (lines, tag, fits) in told.items():
        words = node(tree, int(name)).get_attribute("aria-label") or ""
        rule = words[words.index(": ") + 2 :].split("; ")[0].split(": ")[-1]
        assert (" ".join(lines) + " ").startswith(rule + " ")
        assert tag.removesuffix(" next") == (
            "1" if name == "1" else f"{name} {'no' if int(name) % 2 else 'yes'}"
        )
        assert fits, name
    assert re.fullmatch(r"\d+ rows, [\d.]+ bit", told["1"][0][1])
    assert tree.evaluate(IN_SIGHT) == 2 * leaves - 1
    assert tree.evaluate(SMALLEST) >= 8


@pytest.mark.nightly
def test_a_click_in_low_boxes_tells_the_node_in_full_and_a_larger_view_tells_more(
    move: Visit, settled: Settled
) -> None:
    tree = move(LESSONS["moons"][0])
    page, rows = tree.page, lambda: tree.evaluate(TOLD)["23"][0][1:]
    assert rows() == []
    node(tree, 23).click()
    page.wait_for_url("**focus=23**")
    settled(page)
    assert re.fullmatch(r"\d+ rows, [\d.]+ bit", rows()[0])
    node(tree, 1).click()
    expect(node(tree, 1)).to_have_attribute("aria-selected", "true")
    settled(page)
    assert rows() == []
    for _ in range(4):
        tree.get_by_label("Larger").click()
    assert rows() != []
    tree.get_by_label("Show the whole tree").click()


SMALLEST = """one => [...one.querySelectorAll("svg text")]
    .filter((each) => each.checkVisibility() && each.closest("g.fold:not(.shut)") === null)
    .map((each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)
    .reduce((least, each) => Math.min(least ?? each, each), null)"""


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        (LARGE, "mid"),
        pytest.param(MOONS + "&log=a1", "near", marks=pytest.mark.nightly),
        pytest.param(MOONS + "&log=a5", "mid", marks=pytest.mark.nightly),
        pytest.param(DEEP, "far", marks=pytest.mark.nightly),
    ],
)
def test_all_of_a_tree_is_in_sight_and_no_type_is_too_small_to_read(
    move: Visit, path: str, detail: str
) -> None:
    tree = move(path)
    if detail == "far":
        tree.get_by_label("Unfold the whole tree").click()
        expect(tree.locator(".fold.shut")).to_have_count(0)
    assert tree.evaluate(IN_SIGHT) == len(shown(tree))
    assert tree.locator(".box").get_attribute("data-detail") == detail
    smallest = tree.evaluate(SMALLEST)
    assert smallest is None or smallest >= 8
    assert (smallest is None) == (detail == "far")
    node(tree, 1).hover()
    tip = tree.locator(".tip")
    if detail == "near":
        expect(tip).to_be_hidden()
    else:
        expect(tip).to_contain_text("600 rows" if path == LARGE else " rows, entropy")
        inside, outside = bounds(tip), bounds(tree)
        assert inside["x"] >= outside["x"] - 1
        assert inside["x"] + inside["width"] <= outside["x"] + outside["width"] + 1
    if detail == "far":
        tree.get_by_label("Fold what is deep").click()
        expect(tree.locator(".fold.shut").first).to_be_attached()


def test_the_tree_takes_all_of_the_window_until_escape_or_the_button(
    move: Visit, settled: Settled
) -> None:
    tree = move(LARGE)
    page, first, before = tree.page, tree.bounding_box(), scale(tree)
    button = tree.get_by_role("button", name="Fill the window")
    assert button.get_attribute("aria-expanded") == "false"
    for leave in ("Escape", "Enter"):
        button.click()
        close = tree.get_by_role("button", name="Leave the full window")
        expect(close).to_be_focused()
        assert close.get_attribute("aria-expanded") == "true"
        size = page.viewport_size
        assert size
        assert tree.bounding_box() == {"x": 0, "y": 0, **size}
        assert scale(tree) > before
        assert tree.evaluate(IN_SIGHT) == len(shown(tree))
        page.keyboard.press(leave)
        expect(button).to_be_focused()
        expect(tree.locator(".sheet")).to_have_attribute("style", re.compile(rf"scale\({before}\)"))
        assert tree.bounding_box() == first
    button.click()
    node(tree, 3).click()
    page.wait_for_url("**focus=3**")
    settled(page)
    expect(node(tree, 3)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    assert tree.bounding_box() == first


def test_the_icicle_shows_every_node_and_a_click_or_keys_choose_one(move: Visit) -> None:
    tree = move(LARGE)
    try:
        tree.get_by_text("icicle", exact=True).click()
        bands = tree.locator("canvas.icicle")
        expect(bands).to_be_visible()
        expect(tree.locator(".box")).to_be_hidden()
        leaves = re.search(r"(\d+) leaves", tree.locator(".count").inner_text())
        assert leaves
        expect(bands).to_have_attribute("data-nodes", str(2 * int(leaves[1]) - 1))
        box = bounds(bands)
        bands.hover(position={"x": box["width"] - 4, "y": 3})
        expect(tree).to_have_attribute("data-lit", "1")
        bands.focus()
        for key, lit in (("ArrowDown", "2"), ("ArrowRight", "3"), ("ArrowUp", "1")):
            bands.press(key)
            expect(tree).to_have_attribute("data-lit", lit)
        bands.press("ArrowDown")
        bands.press("Enter")
        expect(tree.page).to_have_url(re.compile(r"focus=2(&|$)"))
    finally:
        tree.get_by_text("icicle", exact=True).click()
    expect(tree.locator(".box")).to_be_visible()
    expect(node(tree, 2)).to_have_class(re.compile("focus"))


@pytest.mark.nightly
def test_the_tree_is_fitted_again_when_the_icicle_is_left_in_another_room(move: Visit) -> None:
    tree = move(LARGE)
    page, first, turner = tree.page, scale(tree), tree.get_by_text("icicle", exact=True)
    sheet, size = tree.locator(".sheet"), page.viewport_size
    assert size
    for act, undo in (
        (tree.get_by_text("full", exact=True).click, lambda: page.keyboard.press("Escape")),
        (
            lambda: page.set_viewport_size({**size, "height": size["height"] + 300}),
            lambda: page.set_viewport_size(size),
        ),
    ):
        turner.click()
        act()
        turner.click()
        expect(sheet).not_to_have_attribute("style", re.compile(rf"scale\((0|{first})\)"))
        assert scale(tree) > first
        assert tree.evaluate(IN_SIGHT) == len(shown(tree))
        turner.click()
        undo()
        turner.click()
        expect(sheet).to_have_attribute("style", re.compile(rf"scale\({first}\)"))


def test_a_sieve_opens_what_is_large_and_the_map_leads_through_what_is_out_of_sight(
    move: Visit,
) -> None:
    tree = move(LARGE)
    sieve, full = tree.get_by_label("Which nodes are opened"), len(shown(tree))
    sieve.select_option(label="open from 10 % of rows")
    expect(tree).not_to_have_attribute("data-nodes", str(full))
    assert 3 <= len(shown(tree)) < full
    plan = tree.locator("canvas.map")
    expect(plan).to_be_hidden()
    tree.get_by_text("unfold all").click()
    expect(sieve).to_have_value("")
    nearer(tree)
    expect(plan).to_be_visible()
    before = tree.locator(".sheet").get_attribute("style")
    plan.click(position={"x": 3, "y": 20})
    expect(tree.locator(".sheet")).not_to_have_attribute("style", before or "")
    tree.get_by_text("fold", exact=True).click()
    tree.get_by_text("fit", exact=True).click()
    expect(plan).to_be_hidden()
