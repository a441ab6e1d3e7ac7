"""Simulations on a Dask cluster: parts of a job are futures, and each part's tally is added once."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any

import distributed as untyped
from distributed.scheduler import KilledWorker

import flip7
from flip7.sim.lineup import Job
from flip7.sim.run import SimulationError, Span, part_of
from flip7.sim.tally import Tally

distributed: Any = untyped

PATIENCE = 15  # seconds for reaching the cluster
WORKER_PATIENCE = 15  # seconds for its first worker
AHEAD = 3  # parts for each thread of the cluster that are under way or waiting


class ClusterError(Exception):
    """A cluster cannot be used; the message says why."""


class DaskCluster:
    """An existing Dask cluster that plays parts of simulations. It is left alone when the connection is closed.

    A part whose worker dies is played again by another one: games follow from their numbers, so it comes out the same,
    and it is counted when its future is done, which happens once.
    """

    def __init__(self, address: str) -> None:
        """Connect. Raises `ClusterError` if nobody answers, there is no worker, or one has another version of flip7."""
        try:
            self._client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError(f"no Dask cluster answers at {address}: {error}") from None
        try:
            self.wait_for(1)
            self._check_versions()
        except TimeoutError:
            self.close()
            raise ClusterError(
                f"the cluster at {address} has no worker; start one with: dask worker {address}"
            ) from None
        except ClusterError:
            self.close()
            raise

    def _check_versions(self) -> None:
        for worker, version in self._client.run(version_here).items():
            if version != flip7.__version__:
                raise ClusterError(
                    f"worker {worker} has flip7 {version or 'not at all'}; the same version as here, "
                    f"{flip7.__version__}, is needed for the same result"
                )

    def wait_for(self, workers: int) -> None:
        """Wait until the cluster has n workers. Raises `TimeoutError` when they do not come."""
        self._client.wait_for_workers(workers, timeout=WORKER_PATIENCE)

    @property
    def threads(self) -> int:
        """How many parts the cluster plays at the same time."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def parts(self, job: Job, spans: Iterator[Span]) -> Iterator[Tally]:
        """Play all spans, in any order, with a bounded number of them under way."""
        under_way = distributed.as_completed(loop=self._client.loop)
        most = AHEAD * self.threads
        waiting = 0
        try:
            for _ in range(most):
                waiting += self._submit(under_way, job, spans)
            while waiting:
                future = next(under_way)
                tally = self._tally(future)
                future.release()
                waiting -= 1
                waiting += self._submit(under_way, job, spans)
                yield tally
        finally:
            self._client.cancel(list(under_way.futures), force=True)

    def _submit(self, under_way: Any, job: Job, spans: Iterator[Span]) -> int:
        """Send the next part out, if there is one; returns how many were sent."""
        for first, count in spans:
            under_way.add(self._client.submit(part_of, job, first, count, pure=False, retries=0))
            return 1
        return 0

    def _tally(self, future: Any) -> Tally:
        try:
            tally: Tally = future.result()
        except KilledWorker as error:
            raise SimulationError(f"the cluster lost too many workers with the same part: {error}") from None
        return tally

    def close(self) -> None:
        """Leave the cluster. It goes on without us."""
        self._client.close()

    def __enter__(self) -> DaskCluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def version_here() -> str:
    """Return the version of flip7 on the machine that runs this."""
    return flip7.__version__
