"""Pipelines and searches of scikit-learn: splits in the columns of X, the same predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtviz import DataError, Model, from_sklearn
from dtviz.app.cli.serving import link_of, table_of
from dtviz.models.importers import from_fitted

NUMBERS, CATEGORIES = ["age", "fare", "decks"], ["sex", "port", "class", "alone"]
SCALERS = (
    "passthrough",
    StandardScaler(),
    MinMaxScaler(),
    MinMaxScaler((-3, 0.1), clip=True),
    MaxAbsScaler(),
    RobustScaler(),
    make_pipeline(StandardScaler(), FunctionTransformer(), MinMaxScaler()),
)
IMPUTERS = (
    "passthrough",
    SimpleImputer(),
    SimpleImputer(strategy="median", add_indicator=True),
    SimpleImputer(strategy="constant", fill_value=-1),
    SimpleImputer(strategy="most_frequent"),
    FeatureUnion([("values", SimpleImputer()), ("gaps", MissingIndicator())]),
)
ENCODERS = (
    OneHotEncoder(handle_unknown="ignore"),
    OneHotEncoder(handle_unknown="ignore", sparse_output=False, drop="first"),
    OneHotEncoder(drop="if_binary"),
    OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=12),
    OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=2, drop="first"),
    OneHotEncoder(drop=["male", "S", 2, True]),
    OrdinalEncoder(),
    OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=9),
    OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=99),
    OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan),
    make_pipeline(SimpleImputer(strategy="most_frequent"), OrdinalEncoder(), StandardScaler()),
    make_pipeline(SimpleImputer(strategy="constant", fill_value="none"), OneHotEncoder()),
)
TREE = DecisionTreeClassifier(max_depth=6, random_state=0)
MODELS: tuple[tuple[Any, Any], ...] = (
    (TREE, None),
    (DecisionTreeRegressor(max_depth=6, random_state=0), None),
    (RandomForestClassifier(3, max_depth=4, random_state=0), 2),
    (ExtraTreesClassifier(3, max_depth=4, random_state=0), 1),
    (BaggingClassifier(DecisionTreeClassifier(), 3, max_features=0.5, random_state=0), 1),
)


def passengers(rng: np.random.Generator, n: int = 120) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "age": rng.normal(30, 12, n).round(1),
            "fare": rng.lognormal(2, 1, n).astype(np.float32),
            "decks": rng.integers(0, 9, n),
            "sex": rng.choice(["male", "female"], n),
            "port": rng.choice(["S", "C", "Q", "B"], n, p=[0.6, 0.2, 0.15, 0.05]),
            "class": rng.integers(1, 4, n),
            "alone": rng.random(n) < 0.5,
        }
    )
    frame.loc[rng.random(n) < 0.15, "age"] = np.nan
    return frame


def survival(X: pd.DataFrame, rng: np.random.Generator) -> pd.Series[Any]:
    lives = (X["sex"] == "female") & (X["class"] < 3) | (X["age"] < 15) | (X["port"] == "B")
    return pd.Series(lives ^ (rng.random(len(X)) < 0.15), name="survived").astype(int)


def pipeline_of(numbers: Any, categories: Any, last: Any, sparse: bool = False) -> Pipeline:
    parts = [("numbers", numbers, NUMBERS), ("categories", categories, CATEGORIES)]
    columns = ColumnTransformer(parts, sparse_threshold=float(sparse))
    return Pipeline([("columns", columns), ("last", last)])


def tree_of(fitted: Any, member: Any) -> Any:
    """The decision tree that the model is of, as scikit-learn has it."""
    last = fitted[-1]
    return last if member is None else last.estimators_[member]


def leaves_of(fitted: Any, member: Any, X: pd.DataFrame) -> Any:
    numbers = fitted[:-1].transform(X)
    numbers = numbers.toarray() if hasattr(numbers, "toarray") else np.asarray(numbers)
    if hasattr(fitted[-1], "estimators_features_"):
        numbers = numbers[:, fitted[-1].estimators_features_[member]]
    return tree_of(fitted, member).tree_.apply(numbers.astype(np.float32))


def assert_same_leaves(model: Model, fitted: Any, member: Any, X: pd.DataFrame) -> None:
    pairs = {*zip(model.apply(X).tolist(), leaves_of(fitted, member, X).tolist(), strict=True)}
    assert len(pairs) == len({ours for ours, _ in pairs}) == len({theirs for _, theirs in pairs})


def check_pipeline(seed: int, numbers: Any, encoder: Any, estimator: Any, member: Any) -> None:
    """Compare the leaves of rows seen and unseen; a sparse matrix has no missing values."""
    rng = np.random.default_rng(seed)
    X, new = passengers(rng), passengers(rng)
    y = survival(X, rng)
    fitted = pipeline_of(numbers, encoder, estimator, numbers[0] != "passthrough").fit(X, y)
    model = from_sklearn(fitted, X, y, member)
    assert {*model.data.features} <= {*NUMBERS, *CATEGORIES}, model.data.notes
    assert_same_leaves(model, fitted, member, X)
    for name, levels in zip(model.data.features, model.data.levels, strict=True):
        if levels and name != "alone":  # a category that was not drawn is as unknown to the tree
            new = new[new[name].isin(levels)]
    new = new if any(model.data.gaps) else new.fillna({"age": 20.0})
    assert_same_leaves(model, fitted, member, new)
    new.loc[new.index[:9], "port"] = "X"
    try:
        predicted = fitted.predict(new)
    except ValueError:  # handle_unknown="error"
        return
    assert_same_leaves(model, fitted, member, new)
    if member is None:
        assert model.predict(new) == pytest.approx(predicted)
        if is_classifier(fitted):
            assert model.predict_proba(new) == pytest.approx(fitted.predict_proba(new))


@pytest.mark.filterwarnings("ignore")
def test_pipelines_send_rows_seen_and_unseen_where_scikit_learn_does() -> None:
    rng = np.random.default_rng(0)
    for seed in range(len(ENCODERS)):
        scaler, imputer, encoder, (estimator, member) = (
            options[rng.integers(len(options)) if seed >= len(options) else seed]
            for options in (SCALERS, IMPUTERS, ENCODERS, MODELS)
        )
        steps = make_pipeline(imputer, scaler)
        check_pipeline(seed, steps, encoder, estimator, member)


def numbers_table(n: int = 80) -> tuple[pd.DataFrame, pd.Series[Any]]:
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(0.1, 1e-3, (n, 2)), columns=["a", "b"])
    return X, pd.Series(X["a"] * X["b"] > 0.01, name="y")


def test_a_threshold_stands_where_the_scaler_changes_sides_to_the_last_bit() -> None:
    X, y = numbers_table()
    for scaler in (*SCALERS, make_pipeline(MaxAbsScaler(), StandardScaler())):
        fitted = make_pipeline(scaler, DecisionTreeClassifier(max_depth=4, random_state=0)).fit(
            X, y
        )
        model = from_sklearn(fitted, X, y)
        for split in model.tree.splits.values():
            below = X.copy()
            below.iloc[:, split.projection.feature] = split.threshold
            above = X.copy()
            above.iloc[:, split.projection.feature] = np.nextafter(split.threshold, np.inf)
            assert_same_leaves(model, fitted, None, pd.concat([below, above]))


def titanic(transform_age: Any, estimator: Any = TREE) -> tuple[pd.DataFrame, list[str], Any]:
    """Women lived, of men those whose age nobody knows; the class is a number, and a category."""
    X = pd.DataFrame(
        {
            "sex": ["female", "male", "male", "female", "male", "female"] * 5,
            "age": [30, None, 4, 50, 40, None] * 5,
            "class": [1, 2, 3, 3, 1, 2] * 5,
        }
    )
    y = ["yes", "yes", "no", "yes", "no", "yes"] * 5
    columns = ColumnTransformer(
        [
            ("sex", OneHotEncoder(handle_unknown="ignore"), ["sex"]),
            ("class", OrdinalEncoder(), [2]),
            ("age", transform_age, slice("age", "age")),
        ]
    )
    return X, y, Pipeline([("columns", columns), ("last", estimator)]).fit(X, y)


def test_splits_are_said_in_the_columns_of_x() -> None:
    X, y, fitted = titanic(SimpleImputer(strategy="constant", fill_value=20, add_indicator=True))
    model = from_sklearn(fitted, X, y)
    assert model.path_told(X.iloc[0].to_dict()) == ("sex = female: yes",)
    assert model.path_told(X.iloc[1].to_dict()) == ("sex = female: no", "age known: no")
    assert 'WHEN "sex" NOT IN (\'female\') AND "age" IS NULL' in model.export("sql")
    assert model.data.levels == (("female", "male"), (), (1, 2, 3))
    # of an ensemble too, also where the tree stands on a numpy array
    arrays = make_pipeline(StandardScaler(), AdaBoostClassifier(TREE, n_estimators=2))
    numbers = X[["class"]].to_numpy()
    model = from_sklearn(arrays.fit(numbers, numbers[:, 0] > 1), numbers, numbers[:, 0] > 1, 0)
    assert model.data.features == ("x1",)
    boosting = make_pipeline(MinMaxScaler(), GradientBoostingRegressor(n_estimators=3))
    model = from_sklearn(boosting.fit(X[["class"]], X["class"]), X[["class"]], X["class"], 1)
    assert [split.threshold for split in model.tree.splits.values()] == pytest.approx([1.5, 2.5])


def test_a_link_opens_the_tree_of_a_pipeline_with_numbers_as_categories() -> None:
    X, y, fitted = titanic("passthrough", RandomForestClassifier(3, random_state=0))
    model = from_sklearn(fitted, X, y, 1)
    assert "class%3Dcategory" in link_of(model, table_of(model.data), "forest")


def test_other_transformers_leave_their_columns_with_a_note() -> None:
    X, y = numbers_table()
    for step, name in ((PCA(2), "pca0"), (PolynomialFeatures(2), "a b")):
        fitted = make_pipeline(StandardScaler(), step, TREE).fit(X, y)
        model = from_sklearn(fitted, X, y)
        assert name in model.data.features
        assert "splits are in the columns that the pipeline makes" in model.data.notes[-1].text
        made = pd.DataFrame(fitted[:-1].transform(X), columns=list(model.data.features))
        assert (model.predict(made) == fitted.predict(X)).all()
    both = FeatureUnion([("codes", OneHotEncoder()), ("number", StandardScaler())])
    X = titanic("passthrough")[0][["class"]]
    model = from_sklearn(make_pipeline(both, TREE).fit(X, X["class"]), X, X["class"])
    assert "'class' is read as numbers and as categories" in model.data.notes[-1].text


def test_selected_columns_are_those_of_x() -> None:
    X, y = numbers_table()
    X["constant"], X["noise"] = 1.0, np.arange(len(X)) % 7
    select = (VarianceThreshold(), SelectKBest(k=2).set_output(transform="pandas"))
    fitted = make_pipeline(*select, TREE).fit(X, y)
    assert {*from_sklearn(fitted, X, y).data.features} == {"a", "b"}
    log = from_sklearn(fitted, X, y).log
    table = pytest.importorskip("polars").from_pandas(X)
    assert from_sklearn(fitted.set_output(transform="polars").fit(table, y), table, y).log == log


def test_a_search_is_its_best_estimator() -> None:
    X, y, pipeline = titanic("passthrough")
    search = GridSearchCV(pipeline, {"last__max_depth": [1, 2]}, cv=2)
    best = search.fit(X, y).best_estimator_
    assert from_sklearn(search, X, y).log == from_sklearn(best, X, y).log
    assert from_fitted(search, X, y).log == from_sklearn(best, X, y).log
    for refused in (GridSearchCV(pipeline, {}), GridSearchCV(pipeline, {}, refit=False).fit(X, y)):
        with pytest.raises(DataError, match="a search must be fitted, with `refit`"):
            from_sklearn(refused, X, y)
    with pytest.raises(DataError, match="calibration fits several models"):
        from_sklearn(CalibratedClassifierCV(pipeline, cv=2).fit(X, y), X, y)
    with pytest.raises(DataError, match="the pipeline cannot transform `X`"):
        from_sklearn(pipeline, X[["age"]], y)
    with pytest.raises(DataError, match="`X` must be a table"):
        from_sklearn(pipeline, 3, y)
    with pytest.raises(DataError, match=r"not the (rows|target)"):
        from_sklearn(pipeline, X, y[::-1])
