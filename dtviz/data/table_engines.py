"""Engines that hold a table elsewhere: their addresses, and the tables that they open through Ibis.

An address names a server: `postgresql://user@host:5432/database` or `spark://host:7077`. It never
holds a password. Postgres takes it from PGPASSWORD or ~/.pgpass, and the user from PGUSER, if none
is named; Spark has the settings of its own files (SPARK_CONF_DIR). An address that is refused is
not shown, since it may hold a password.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from dtviz.base.text import clean, quoted, quoted_names, reason_of
from dtviz.data.dataset import DataError

if TYPE_CHECKING:
    from ibis.expr.types import Table

DUCKDB = "duckdb"
"""Name of the engine that runs inside this program."""
MAX_ADDRESS_CHARS = 300
"""Largest number of characters of an address, and of the name of a table."""
CONNECT_SECONDS = 20
"""Seconds until a server must have answered."""
MAX_PORT = 65_535
"""Largest port."""
_PORT = re.compile(r":(\d{1,5})(?=[,/]|$)")
_HOST = r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]"
_POSTGRES = re.compile(
    rf"postgres(?:ql)?://(?:(?P<user>[^\s:@/?#%]+)@)?(?P<host>{_HOST})?(?::(?P<port>\d{{1,5}}))?"
    r"/(?P<database>[^\s:@/?#%]+)"
)
_SPARK = re.compile(rf"spark://(?:{_HOST}):\d{{1,5}}(?:,(?:{_HOST}):\d{{1,5}}){{0,9}}")
_FORMS = (
    "`engine` must be 'duckdb', 'spark://host:7077' or 'postgresql://user@host/database'; not "
    "another"
)
_NO_PASSWORD = (
    "an address must hold no password, since addresses are shown and kept: leave it out, "
    "and set PGPASSWORD or ~/.pgpass for Postgres, the settings of Spark for Spark"
)


class QueryRunner(NamedTuple):
    """How the queries of an engine are ended before they have an answer."""

    begin: Callable[[], object]
    """Makes the next query of this thread one that `interrupt` ends."""
    interrupt: Callable[[], object]
    """Ends the query that runs; called in another thread."""


def _do_nothing() -> None:
    pass


def _spark_runner(backend: Any) -> QueryRunner:
    session = backend.raw_sql("SELECT 1").sparkSession
    if type(session).__module__.startswith("pyspark.sql.connect"):
        return QueryRunner(_do_nothing, session.interruptAll)
    context, group = session.sparkContext, uuid4().hex
    return QueryRunner(
        lambda: context.setJobGroup(group, "dtviz counts rows", interruptOnCancel=True),
        lambda: context.cancelJobGroup(group),
    )


RUNNERS: dict[str, Callable[[Any], QueryRunner]] = {
    "duckdb": lambda backend: QueryRunner(_do_nothing, backend.con.interrupt),
    "postgres": lambda backend: QueryRunner(_do_nothing, backend.con.cancel_safe),
    "pyspark": _spark_runner,
}
"""How queries are ended, by the name of the engine; those of others run to their end."""


def runner_of(backend: Any) -> QueryRunner:
    """How the queries of a connection are ended before they have an answer."""
    make = RUNNERS.get(backend.name)
    return QueryRunner(_do_nothing, _do_nothing) if make is None else make(backend)


class Server(NamedTuple):
    """The parts of an address of Postgres; None: Postgres has its own choice, as PGUSER."""

    user: str | None
    """Name of the user."""
    host: str | None
    """Name or number of the host."""
    port: int | None
    """Port."""
    database: str
    """Name of the database."""


def check_engine(engine: Any) -> str:
    """Check `duckdb` or an address of a server, and return it; raises DataError."""
    if engine == DUCKDB:
        return DUCKDB
    if not isinstance(engine, str):
        raise DataError(_FORMS, "engine")
    if may_hold_password(engine):
        raise DataError(_NO_PASSWORD, "engine")
    is_short = len(engine) <= MAX_ADDRESS_CHARS and engine.isprintable()
    is_address = is_short and (_SPARK.fullmatch(engine) or _POSTGRES.fullmatch(engine))
    if not is_address or any(int(port) > MAX_PORT for port in _PORT.findall(engine)):
        raise DataError(_FORMS, "engine")
    return engine


def check_table_name(name: str) -> None:
    """Raise DataError for an address where the name of a table or file belongs."""
    if may_hold_password(name):
        raise DataError(_NO_PASSWORD)
    if re.match(r"\s*(?:spark|postgres(?:ql)?)://", name, re.IGNORECASE):
        raise DataError(
            "an address of a server is its `engine` (--engine); `table` is the name of a table in "
            "it, or the path of a file"
        )


def may_hold_password(text: str) -> bool:
    """True for an address with a password or with parameters, one of which may be a password."""
    _, is_address, rest = text.partition("://")
    if not is_address:
        return "password" in text.lower() and "=" in text
    before, is_user, _ = rest.rpartition("@")
    # the last @ parts user and host, so that a password may have any sign in it
    return bool(is_user and ":" in before) or re.search(r"[?&;]\w+=", rest) is not None


def parse_postgres(engine: str) -> Server | None:
    """The parts of an address of Postgres; None for another engine."""
    found = _POSTGRES.fullmatch(engine)
    if not found:
        return None
    port = found["port"] or os.environ.get("PGPORT", "")
    host = found["host"] and found["host"].strip("[]")
    return Server(found["user"], host, int(port) if port.isdecimal() else None, found["database"])


def open_in_engine(name: str, engine: str) -> tuple[Table, str]:
    """Open a table of a server, and describe it in words; raises DataError.

    `name` is the name of a table of Postgres, or the path of Parquet that Spark reads.
    """
    check_table_name(name)
    if not 0 < len(name) <= MAX_ADDRESS_CHARS or "\0" in name:
        raise DataError(
            f"the name of a table must have 1 to {MAX_ADDRESS_CHARS} characters; not {quoted(name)}"
        )
    server = parse_postgres(engine)
    return _open_spark(name, engine) if server is None else _open_postgres(name, server)


def _open_postgres(name: str, server: Server) -> tuple[Table, str]:
    _need_package("psycopg", "Postgres", "postgres")
    import ibis

    user, host, port, database = server
    try:
        connection = ibis.postgres.connect(
            user=user, host=host, port=port, database=database, connect_timeout=CONNECT_SECONDS
        )
    except Exception as error:  # each driver has errors of its own
        raise DataError(f"Postgres cannot be reached: {reason_of(error)}") from None
    names = connection.list_tables()
    schema, has_schema, inner = name.partition(".")
    place: dict[str, str] = {}
    if name not in names and has_schema:
        place = {"database": schema}
    try:
        table = connection.table(inner if place else name, **place)
    except Exception as error:
        connection.disconnect()
        if isinstance(error, ibis.common.exceptions.TableNotFound):
            known = f"it has {quoted_names(sorted(names))}" if names else "it has none"
            raise DataError(f"the database has no table {quoted(name)}; {known}") from None
        reason = reason_of(error)
        raise DataError(f"Postgres cannot read the table {quoted(name)}: {reason}") from None
    return table, f"{clean(name)}, a table in Postgres"


def _open_spark(path: str, engine: str) -> tuple[Table, str]:
    _need_package("pyspark", "Spark", "spark")
    home = os.environ.get("JAVA_HOME")
    if not shutil.which("java", path=f"{home}/bin" if home else None):
        raise DataError("Spark needs Java 17 or newer, which is not installed; install it first")
    import ibis
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None and active.sparkContext.master != engine:
        raise DataError(
            "this program has a session of Spark at another address; stop it first, or give a "
            "frame of that session"
        )
    try:
        quiet = SparkSession.builder.config("spark.ui.showConsoleProgress", "false")
        session = active or quiet.master(engine).appName("dtviz").getOrCreate()
        connection = ibis.pyspark.connect(session)
    except Exception as error:
        raise DataError(f"Spark cannot be reached: {reason_of(error)}") from None
    is_text = PurePosixPath(path.rstrip("*")).suffix.lower() in (".csv", ".tsv")
    try:
        table = connection.read_csv(path) if is_text else connection.read_parquet(path)
    except Exception as error:
        raise DataError(
            f"Spark cannot read {quoted(path)} as {'text' if is_text else 'Parquet'}: "
            f"{reason_of(error)}"
        ) from None
    return table, f"{clean(PurePosixPath(path).name)}, read by Spark"


def _need_package(package: str, engine: str, extra: str) -> None:
    """Raise DataError where the driver of an engine is not installed."""
    if find_spec(package) is None:
        raise DataError(
            f"tables of {engine} need the package {package}; install it with "
            f"`pip install 'dtviz[{extra}]'`"
        )
