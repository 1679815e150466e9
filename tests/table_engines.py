"""Servers of Postgres and Spark that tests start for themselves, on loopback only."""

from __future__ import annotations

import glob
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = "127.0.0.1"
PATIENCE = 60.0  # seconds until a server must have answered
USER = "dtviz"
SPARK_SETTINGS = {
    "spark.driver.host": HERE,
    "spark.driver.bindAddress": HERE,
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "2",  # 200 tasks for a small table take seconds
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


class EngineMissing(Exception):  # noqa: N818  (what lacks is no error of the tests)
    """The reason why an engine cannot be started here."""


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """Start a Postgres server of its own and tell its address, with the password in PGPASSWORD."""
    try:
        import psycopg  # noqa: F401  (it lacks, or the library below it)
    except ImportError as error:
        raise EngineMissing(f"psycopg, the driver of Postgres, is not installed: {error}") from None
    initdb, pg_ctl = (_postgres_program(name) for name in ("initdb", "pg_ctl"))
    with ExitStack() as after:
        account = _account()
        home = folder / "postgres"
        if account:  # it may not look into a folder of root
            home = Path(after.enter_context(TemporaryDirectory(prefix="postgres-")))
        home.mkdir(parents=True, exist_ok=True)
        password, secret = secrets.token_hex(16), home / "password"
        secret.touch(mode=0o600)
        secret.write_text(password)
        if account:
            for path in (home, secret):
                os.chown(path, account.pw_uid, account.pw_gid)

        def run(*command: str) -> None:
            _run(*command, log=folder / "postgres.log", account=account)

        rows, port = f"--pgdata={home / 'rows'}", _free_port()
        words = f"--username={USER}", f"--pwfile={secret}", "--auth=scram-sha-256"
        run(initdb, rows, *words, "--encoding=UTF8", "--no-locale", "--no-sync")
        log = f"--log={home / 'server.log'}"
        settings = f"-h {HERE} -p {port} -k '' -c fsync=off"  # no socket in a shared folder
        run(pg_ctl, rows, "start", "--wait", log, f"--options={settings}")
        after.callback(run, pg_ctl, rows, "stop", "--wait", "--mode=immediate")
        after.enter_context(_environment("PGPASSWORD", password))
        yield f"postgresql://{USER}@{HERE}:{port}/postgres"


@contextmanager
def local_spark() -> Iterator[SparkSession]:
    """Open a session of Spark in one Java process, which lives on until Python ends."""
    _spark_class()
    with TemporaryDirectory(prefix="spark-") as folder, _spark("local[2]", Path(folder)) as session:
        yield session


@contextmanager
def standalone_spark(folder: Path) -> Iterator[SparkSession]:
    """Open a session on a master and two workers, three Java processes of one core each."""
    spark_class = _spark_class()
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as after:

        def start(name: str, kind: str, *arguments: str) -> tuple[subprocess.Popen[bytes], Path]:
            log = folder / f"{name}.log"
            command = spark_class, f"org.apache.spark.deploy.{kind}", "--host", HERE
            environment = os.environ | {
                "SPARK_DAEMON_MEMORY": "256m",
                "SPARK_LOCAL_IP": HERE,
                "SPARK_WORKER_DIR": str(folder / name),
            }
            with log.open("wb") as file:
                server = subprocess.Popen(
                    [*command, "--port", "0", "--webui-port", "0", *arguments],
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                )
            after.callback(_stop, server)
            return server, log

        server, log = start("master", "master.Master")
        address = _logged("Starting Spark master at ", server, log)
        for name in ("worker-1", "worker-2"):
            worker = start(name, "worker.Worker", "--cores", "1", "--memory", "512m", address)
            _logged("Successfully registered with master ", *worker)
        yield after.enter_context(_spark(address, folder))


@contextmanager
def _spark(master: str, folder: Path) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("dtviz")
    tables = mkdtemp(prefix="tables-", dir=folder)  # Spark takes no folder that has tables already
    for key, value in (SPARK_SETTINGS | {"spark.sql.warehouse.dir": tables}).items():
        builder = builder.config(key, value)
    with _environment("PYSPARK_PYTHON", sys.executable), _environment("SPARK_LOCAL_IP", HERE):
        session = builder.getOrCreate()
        try:
            yield session
        finally:
            session.stop()


def _spark_class() -> str:
    """The program of the wheel that starts a class of Spark."""
    found = find_spec("pyspark")
    if not found or not found.origin:
        raise EngineMissing("pyspark is not installed")
    home = os.environ.get("JAVA_HOME")
    if not shutil.which("java", path=f"{home}/bin" if home else None):
        raise EngineMissing("Java, which Spark runs in, is not installed")
    return str(Path(found.origin).parent / "bin" / "spark-class")


def _postgres_program(name: str) -> str:
    """The program's path: Debian keeps it in a folder of its version, outside PATH."""
    folders = os.environ.get("PATH", ""), *sorted(glob.glob("/usr/lib/postgresql/*/bin"))[::-1]
    path = shutil.which(name, path=os.pathsep.join(folders))
    if not path:
        raise EngineMissing(f"{name}, a program of Postgres, is not installed")
    return path


def _account() -> pwd.struct_passwd | None:
    """The account to run Postgres as, which refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise EngineMissing("Postgres does not run as root, and there is no other account for it")


def _run(*command: str, log: Path, account: pwd.struct_passwd | None) -> None:
    """Run a program to its end, with what it says appended to a file."""
    with log.open("ab") as file:
        done = subprocess.run(
            command,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
            timeout=PATIENCE,
        )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {log.read_text(errors='replace')[-2000:]}")


def _logged(words: str, server: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until a server has logged these words, and tell what follows them."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        for line in log.read_text(errors="replace").splitlines(keepends=True):
            if words in line and line.endswith("\n"):
                return line.split(words)[1].strip()
        time.sleep(0.1)
    raise RuntimeError(f"no {words!r} in {log.read_text(errors='replace')[-2000:]}")


def _stop(server: subprocess.Popen[bytes]) -> None:
    """End a server, by force where it does not listen."""
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _free_port() -> int:
    """A port that nothing listens on now."""
    with socket.socket() as one:
        one.bind((HERE, 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """Set a variable of the environment for as long as a block runs."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
