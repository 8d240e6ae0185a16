"""What a million daily learners would need, computed from the measured costs."""

import math

from common import table

LEARNERS = 1_000_000
ANSWERS, EXCHANGES, SESSIONS, DOMAINS = 40, 6, 2, 8  # of a learner and a day; each answer to another question
QUESTIONS, FAVOURITES, OPTIONS = 2_000, 50, 4  # of a learner, whatever the days
PEAK_SHARE = 0.12  # of a day's exchanges in its busiest hour
PEAK_IN_HOUR = 2  # the busiest minute against that hour's mean
USED = 0.5  # of each core at that minute
IDLE_SECONDS = 75  # that the server leaves an idle connection of a device open
CONNECTIONS_PER_CORE = 4  # of the database


def rows_of_a_year():
    """Rows of one learner after a year, by table."""
    return {
        "answer": 365 * ANSWERS, "question_day": 365 * ANSWERS, "answer_day": 365 * DOMAINS,
        "session": 365 * SESSIONS, "question_domain": QUESTIONS, "own_name": 2 * QUESTIONS + OPTIONS,
        "record": FAVOURITES, "device": 2, "account": 1}


def bytes_of_a_row(postgres):
    """Bytes of table and indexes for each row that the benchmark stored."""
    postgres.sql("vacuum analyze")
    return {
        name: postgres.number(
            f"select pg_total_relation_size('underway.{name}')::float8 / greatest(count(*), 1) from underway.{name}")
        for name in rows_of_a_year()}


def section(bench):
    results = bench.results
    if "exchange server CPU" not in results:
        return
    sizes, counts = bytes_of_a_row(bench.postgres), rows_of_a_year()
    table(
        "Storage of one learner after a year",
        ["", "rows", "bytes a row (measured)", "MB"],
        [[name, f"{count:,}", f"{sizes[name]:,.0f}", f"{count * sizes[name] / 1e6:.2f}"]
         for name, count in counts.items()])
    peak = LEARNERS * EXCHANGES * PEAK_SHARE * PEAK_IN_HOUR / 3600
    cores = {name: peak * results[f"exchange {name} CPU"] / 1000 / USED for name in ("server", "database")}
    year = LEARNERS * sum(count * sizes[name] for name, count in counts.items())
    day = LEARNERS * EXCHANGES
    connections = CONNECTIONS_PER_CORE * math.ceil(cores["database"])
    table(
        f"An estimate for {LEARNERS:,} daily learners of {EXCHANGES} exchanges and {ANSWERS} answers a day",
        ["", "value", "formula"],
        [["exchanges/s at the peak", f"{peak:,.0f}",
          f"learners × {EXCHANGES} × {PEAK_SHARE} × {PEAK_IN_HOUR} / 3,600"],
         ["cores of servers", f"{cores['server']:.1f}",
          f"peak × {results['exchange server CPU']:.2f} ms / {USED}"],
         ["cores of PostgreSQL", f"{cores['database']:.1f}",
          f"peak × {results['exchange database CPU']:.2f} ms / {USED}"],
         ["connections at PostgreSQL", connections, f"{CONNECTIONS_PER_CORE} × its cores, rounded up"],
         ["connections of devices at the peak", f"{peak * IDLE_SECONDS:,.0f}", f"peak × {IDLE_SECONDS} s"],
         ["from devices a day", f"{day * results['bytes up'] / 1e9:,.1f} GB", f"{results['bytes up']:,.0f} B each"],
         ["to devices a day", f"{day * results['bytes down'] / 1e9:,.1f} GB",
          f"{results['bytes down']:,.0f} B each"],
         ["WAL a day", f"{day * results['WAL bytes'] / 1e9:,.0f} GB", f"{results['WAL bytes']:,.0f} B each"],
         ["storage after a year", f"{year / 1e12:.2f} TB", "learners × the sum above"]])
