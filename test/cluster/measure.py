#!/usr/bin/env python3
"""measure.py FILE MPI_CHECK PART...: measures examples/cluster on this machine, and adds the times to results.json.

FILE is the UTF-16 file to read; it is written, with 1 GB, if it does not exist. PART is one of one, dask, csv, mpi and
parallel. Each takes less than a minute; nothing else may run meanwhile. chart.py makes the chart and the tables from the
results.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from support import write_csv

HERE = pathlib.Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples" / "cluster"
RESULTS = HERE / "results.json"
WORKERS = (1, 2, 4)
RUNS = 3


def seconds(call, runs=RUNS):
    """The shortest time of some calls."""
    best = float("inf")
    for _ in range(runs):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return round(best, 4)


def run(*command, **variables):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                   env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **variables})


def one(file):
    """One process: all of the file, a start for nothing, and reading without converting."""
    def write():
        run("utfcat", "-o", "out", file)
    yield "utfcat", seconds(write)
    os.remove("out")
    yield "utfcat --check", seconds(lambda: run("utfcat", "--check", file))
    yield "cat", seconds(lambda: run("sh", "-c", 'cat "$0" | cat > /dev/null', file))
    yield "start of utfcat", seconds(lambda: [run("utfcat", "--range", "0-0", file) for _ in range(100)]) / 100


@contextlib.contextmanager
def cluster(workers):
    from dask.distributed import Client, LocalCluster
    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0") as local, \
            Client(local) as client:
        client.upload_file(str(EXAMPLES / "utf_text.py"))
        yield client


def dask_of(file, name, compute, blocksize="32MiB"):
    for workers in WORKERS:
        with cluster(workers):
            compute(file, blocksize)
            yield f"{name}, {workers}", seconds(lambda: compute(file, blocksize), runs=2)


def dask(file):
    """Dask counts the lines."""
    import utf_text

    def count(path, blocksize):
        return utf_text.read_text(path, blocksize).count().compute()
    yield from dask_of(file, "Dask, lines", count)
    pathlib.Path("small").write_bytes(b"\n" * 1000)
    with cluster(1) as client:
        yield "1000 ranges in Dask", seconds(lambda: count("small", 1), runs=2)
        yield "1000 tasks in Dask", seconds(lambda: client.gather(client.map(int, range(1000), pure=False)), runs=2)


def csv(file):
    """Dask and pandas add up two columns."""
    import utf_text

    def add(path, blocksize):
        table = utf_text.read_csv(path, blocksize)
        return table[["id", "cents"]].sum().compute()
    yield from dask_of(file, "Dask, CSV", add)


def mpi(file):
    pathlib.Path("empty").write_bytes(b"")
    for ranks in WORKERS:
        command = ["mpirun", "--oversubscribe", "-np", str(ranks), MPI_CHECK]
        yield f"MPI, {ranks}", seconds(lambda: run(*command, file))
        yield f"start of MPI, {ranks}", seconds(lambda: run(*command, "empty"))


def parallel(file):
    program = str(EXAMPLES / "utfcat_parallel")
    for jobs in WORKERS:
        yield f"GNU parallel, {jobs}", seconds(lambda: run(program, file, "out", PARALLEL=f"--jobs {jobs}"))
        os.remove("out")
    pathlib.Path("small").write_bytes(b"\n" * 1000)
    yield "1000 ranges in GNU parallel", seconds(lambda: run(program, "small", "out", PARALLEL="--jobs 1", BLOCKSIZE="1"), runs=1)


def main():
    sys.path.insert(0, str(EXAMPLES))
    file = os.path.abspath(sys.argv[1])
    if not os.path.exists(file):
        write_csv(file, 10**9)
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"seconds": {}}
    model = next(line.split(": ")[1] for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name"))
    results.update(processor=model.strip(), cores=os.cpu_count(), bytes=os.path.getsize(file), date=time.strftime("%Y-%m-%d"))
    with tempfile.TemporaryDirectory(dir=os.path.dirname(file)) as directory:
        os.chdir(directory)
        for part in sys.argv[3:]:
            for name, time_taken in {"one": one, "dask": dask, "csv": csv, "mpi": mpi, "parallel": parallel}[part](file):
                print(f"{name}: {time_taken} s", flush=True)
                results["seconds"][name] = time_taken
        os.chdir("/")
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    MPI_CHECK = os.path.abspath(sys.argv[2])
    main()
