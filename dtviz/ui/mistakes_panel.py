"""Which mistakes the tree of Overfit makes: a class called another, or a number off its own."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dtviz.arrays import Floats
from dtviz.engine.tree import predict
from dtviz.figures.cockpit import TITLES
from dtviz.figures.palette import class_colour, tint
from dtviz.judge.mistakes import Confusion, confusion, off_by
from dtviz.screen.judged import Judged
from dtviz.screen.screen import Screen
from dtviz.table.data import Dataset
from dtviz.text import count, html, number
from dtviz.ui import state
from dtviz.ui.chart import chart
from dtviz.ui.controls import sentence

MOST_CLASSES = 20


def mistakes(screen: Screen) -> None:
    """The confusion of classes, or predicted against true numbers, of either kind of rows."""
    found = screen.judged
    rows = _rows(found)
    told = predict(found.tree, rows.columns)
    (_classes if rows.classes else _numbers)(rows, told)


def _rows(found: Judged) -> Dataset:
    """The rows asked for: those held out, if there are any, or those trained on."""
    if found.held is None:
        return found.training
    kinds = {TITLES[found.role]: found.held, "Training": found.training}
    kind = st.segmented_control(
        "Rows",
        [*kinds],
        default=next(iter(kinds)),
        required=True,
        key="mistakes_of",
        label_visibility="collapsed",
    )
    return kinds[str(kind)]


def _classes(rows: Dataset, told: Floats) -> None:
    found = confusion(rows, told)
    st.html(confusion_table(rows.class_names, found))
    right = int(np.trace(found.rows))
    said = [f"{right:,} of {count(rows.n, 'row')} right: accuracy {_share(found.accuracy)}."]
    if found.weights is not None:
        said.append("In brackets what the rows weigh, which the shares are of.")
    if len(rows.classes) > MOST_CLASSES:
        said.append(f"The {MOST_CLASSES} classes with most rows, of {len(rows.classes):,}.")
    st.caption(sentence(" ".join(said)))


def confusion_table(names: tuple[str, ...], found: Confusion) -> str:
    """The confusion as a table in HTML: a line a class, a column each class it is called."""
    some = np.sort(np.argsort(-found.rows.sum(axis=1), kind="stable")[:MOST_CLASSES]).tolist()
    heads = "".join(f'<th scope="col">{_name(names, one)}</th>' for one in some)
    lines = [f'<tr><th scope="col">is ↓ called →</th>{heads}<th scope="col">recall</th></tr>']
    for line in some:
        cells = "".join(_cell(found, line, column) for column in some)
        name, recall = _name(names, line), _share(float(found.recall[line]))
        lines.append(f'<tr><th scope="row">{name}</th>{cells}<td>{recall}</td></tr>')
    last = "".join(f"<td>{_share(float(found.precision[one]))}</td>" for one in some)
    lines.append(f'<tr><th scope="row">precision</th>{last}<td></td></tr>')
    return f'<div class="confusion" tabindex="0"><table>{"".join(lines)}</table></div>'


def _cell(found: Confusion, line: int, column: int) -> str:
    """How many rows, the fuller in the colour of what they are called the more of their class."""
    many, amounts = int(found.rows[line, column]), found.amounts
    if not many:
        return '<td class="none">0</td>'
    full = float(amounts[line, column] / (amounts[line].sum() or 1.0))
    weight = "" if found.weights is None else f" <small>({number(amounts[line, column])})</small>"
    back = tint(class_colour(column), round(0.1 + 0.3 * full, 3))
    return f'<td style="background:{back}">{many:,}{weight}</td>'


def _name(names: tuple[str, ...], code: int) -> str:
    return f'<i style="background:{class_colour(code)}"></i>{html(names[code], 24)}'


def _share(share: float) -> str:
    return "-" if np.isnan(share) else f"{number(100 * share, 3)}\u00a0%"


def _numbers(rows: Dataset, told: Floats) -> None:
    from dtviz.figures.judging import told_against  # plotly is loaded only where it is seen

    chart(
        told_against(rows, told, state.theme()),
        "told_against",
        "What is predicted for each row against what it is",
    )
    off = off_by(rows, told)
    st.caption(
        f"R² {number(off.explained)}, mean absolute error {number(off.absolute)}, mean squared "
        f"error {number(off.squared)}. On the line a prediction is right."
    )
