"""Jobs are created, changed and kept; states change only as the table allows."""

from __future__ import annotations

import itertools
import sqlite3
import threading

import pytest

from studio.errors import RequestError, StudioError
from studio.jobs.states import TRANSITIONS, Kind, State
from studio.jobs.store import Job, NoSuchJob, Store
from studio.settings import Settings

SPEC = {"data": {"dataset": "digits"}}


def make(store: Store, **more: object) -> Job:
    return store.create(Kind.TRAIN, SPEC, name="Digits, small CNN", **more)  # type: ignore[arg-type]


def end(store: Store, job: Job, state: State) -> None:
    assert store.move(job.id, State.QUEUED, State.STARTING)
    assert store.move(job.id, State.STARTING, State.RUNNING)
    assert store.move(job.id, State.RUNNING, state)


def test_a_created_job_waits_and_knows_its_data_folders(store: Store) -> None:
    job = make(store, owner="me", epochs=3)
    again = Store(store.settings).get(job.id)
    assert again == job
    assert (job.state, job.spec, job.owner, job.epochs, job.epoch) == (State.QUEUED, SPEC, "me", 3, 0)
    assert job.environment["TFDS_DATA_DIR"] == str(store.settings.data_dir)
    assert store.folder(job.id).is_dir()


def test_ids_are_not_used_twice_even_after_the_bin_is_emptied(store: Store) -> None:
    job = make(store)
    store.request_stop(job.id, "you")
    store.delete(job.id)
    assert store.empty_bin(now=1e12) == [job.id]
    assert make(store).id != job.id


@pytest.mark.parametrize(("old", "new"), list(itertools.product(State, State)))
def test_only_the_table_of_states_moves_a_job(store: Store, old: State, new: State) -> None:
    job = make(store)
    with sqlite3.connect(store.database) as opened:  # put it where the test begins, past the table
        opened.execute("UPDATE job SET state = ? WHERE id = ?", (old, job.id))
    if new in TRANSITIONS[old]:
        assert store.move(job.id, old, new)
        assert store.get(job.id).state == new
    else:
        with pytest.raises(ValueError, match="cannot go"):
            store.move(job.id, old, new)
        assert store.get(job.id).state == old


def test_of_two_that_move_a_job_one_wins(store: Store) -> None:
    job = make(store)
    won: list[bool] = []
    threads = [
        threading.Thread(target=lambda: won.append(store.move(job.id, State.QUEUED, State.STARTING))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [False] * 7 + [True]


def test_stopping_a_waiting_job_ends_it_at_once(store: Store) -> None:
    job = store.request_stop(make(store).id, "you")
    assert (job.state, job.reason) == (State.STOPPED, "Stopped before it began, by you.")


def test_stopping_a_running_job_is_a_request_and_the_first_one_counts(store: Store) -> None:
    job = make(store)
    store.move(job.id, State.QUEUED, State.STARTING)
    first = store.request_stop(job.id, "you")
    second = store.request_stop(job.id, "somebody else")
    assert (first.state, first.stop_by) == (State.STARTING, "you")
    assert (second.stop_requested, second.stop_by) == (first.stop_requested, "you")


def test_stopping_what_has_ended_is_refused(store: Store) -> None:
    job = make(store)
    end(store, job, State.FINISHED)
    with pytest.raises(RequestError, match="finished already"):
        store.request_stop(job.id, "you")


def test_resume_puts_a_stopped_job_at_the_end_of_the_queue(store: Store) -> None:
    stopped, waiting = make(store), make(store)
    store.request_stop(stopped.id, "you")
    resumed = store.resume(stopped.id, "you")
    assert (resumed.state, resumed.reason, resumed.stop_requested) == (State.QUEUED, None, None)
    assert resumed.position > waiting.position


@pytest.mark.parametrize("state", [State.FINISHED, None])
def test_resume_of_what_is_neither_stopped_nor_failed_is_refused(store: Store, state: State | None) -> None:
    job = make(store)
    if state:
        end(store, job, state)
    with pytest.raises(RequestError, match="cannot be resumed"):
        store.resume(job.id, "you")


def test_a_live_job_is_not_deleted(store: Store) -> None:
    job = make(store)
    with pytest.raises(RequestError, match="stop it first"):
        store.delete(job.id)
    assert store.count() == 1


def test_a_deleted_job_leaves_the_list_and_can_come_back(store: Store) -> None:
    job = make(store)
    store.request_stop(job.id, "you")
    store.delete(job.id)
    assert store.jobs() == []
    store.restore(job.id)
    assert [found.id for found in store.jobs()] == [job.id]


def test_jobs_are_listed_newest_first_in_pages(store: Store) -> None:
    ids = [make(store).id for _ in range(5)]
    assert [job.id for job in store.jobs(limit=2)] == ids[:2:-1]
    assert [job.id for job in store.jobs(limit=2, offset=4)] == ids[:1]
    assert store.count(kind=Kind.DOWNLOAD) == 0


@pytest.mark.parametrize("job_id", ["train-99", "", "../etc", "train-1; DROP TABLE job"])
def test_an_unknown_id_is_said(store: Store, job_id: str) -> None:
    for call in (store.get, store.delete):
        with pytest.raises(NoSuchJob):
            call(job_id)


def test_a_store_of_a_newer_version_is_refused_and_left_alone(settings: Settings, store: Store) -> None:
    make(store)
    with sqlite3.connect(store.database) as opened:
        opened.execute("PRAGMA user_version = 2")
    before = store.database.read_bytes()
    with pytest.raises(RequestError, match="newer version"):
        Store(settings)
    assert store.database.read_bytes() == before


def test_a_fault_of_the_program_is_not_called_a_damaged_store(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.add_event("train-9", "note", "for a job that is not there", actor="you")


def test_a_file_that_is_no_store_is_said(store: Store) -> None:
    for file in store.database.parent.glob("studio.db*"):
        file.unlink()
    store.database.write_bytes(b"not a database at all, but long enough to have a header")
    with pytest.raises(StudioError, match="is damaged"):
        store.jobs()


def test_the_same_download_is_joined_and_not_begun_twice(store: Store) -> None:
    first = store.create(Kind.DOWNLOAD, {"dataset": "mnist"}, name="MNIST", join=True)
    assert store.create(Kind.DOWNLOAD, {"dataset": "mnist"}, name="MNIST", join=True).id == first.id
    store.request_stop(first.id, "you")
    assert store.create(Kind.DOWNLOAD, {"dataset": "mnist"}, name="MNIST", join=True).id != first.id
