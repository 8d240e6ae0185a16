#ifndef UNDERWAY_CLIBPQ_H
#define UNDERWAY_CLIBPQ_H

#include <errno.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <poll.h>
#include <unistd.h>

// libpq's diagnostic fields are character macros, which Swift does not import.

static inline const char *underway_pq_severity(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}
static inline const char *underway_pq_sqlstate(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}
static inline const char *underway_pq_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
static inline const char *underway_pq_schema(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SCHEMA_NAME);
}
static inline const char *underway_pq_table(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_TABLE_NAME);
}
static inline const char *underway_pq_column(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_COLUMN_NAME);
}
static inline const char *underway_pq_constraint(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
}
static inline const char *underway_pq_data_type(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_DATATYPE_NAME);
}

static inline void underway_pq_ignore(void *context, const PGresult *notice) {
    (void)context;
    (void)notice;
}

/// Prepares a fresh connection: notices, which may quote values, are dropped instead of printed, and a
/// failure to connect names its SQLSTATE and nothing else.
static inline void underway_pq_silence(PGconn *connection) {
    PQsetNoticeReceiver(connection, underway_pq_ignore, NULL);
    PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE);
}

/// Asks the server to cancel the running statement. Returns 1 when the request was delivered.
static inline int underway_pq_cancel(PGconn *connection) {
    char reason[256];
    PGcancel *cancel = PQgetCancel(connection);
    if (cancel == NULL) return 0;
    int delivered = PQcancel(cancel, reason, sizeof reason);
    PQfreeCancel(cancel);
    return delivered;
}

enum { UNDERWAY_READABLE = 1, UNDERWAY_WRITABLE = 2, UNDERWAY_WOKEN = 4 };

/// Waits until a socket can be read (and, if asked, written), `wake` can be read, or the time is up.
/// A negative `wake` is ignored. Returns a sum of the constants above, 0 at the end of the time, -1 on an error.
static inline int underway_poll(int socket, int wants_read, int wants_write, int wake, int milliseconds) {
    struct pollfd list[2] = {
        { socket, (short)((wants_read ? POLLIN : 0) | (wants_write ? POLLOUT : 0)), 0 },
        { wake, POLLIN, 0 },
    };
    int count = poll(list, 2, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    int found = 0;
    // An error or a hang-up is found by reading or writing.
    short broken = POLLERR | POLLHUP | POLLNVAL;
    if (list[0].revents & (POLLIN | broken)) found |= UNDERWAY_READABLE;
    if (list[0].revents & (POLLOUT | broken)) found |= UNDERWAY_WRITABLE;
    if (list[1].revents) found |= UNDERWAY_WOKEN;
    return found;
}

/// Opens a pipe whose ends never block. Returns 0 on success.
static inline int underway_pipe(int *reads, int *writes) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    *reads = ends[0];
    *writes = ends[1];
    return 0;
}

/// Makes the other end of a pipe readable.
static inline void underway_pipe_signal(int writes) {
    char byte = 1;
    ssize_t ignored = write(writes, &byte, 1);
    (void)ignored;
}

/// Empties a pipe.
static inline void underway_pipe_drain(int reads) {
    char bytes[64];
    while (read(reads, bytes, sizeof bytes) > 0) {}
}

static inline void underway_pipe_close(int reads, int writes) {
    close(reads);
    close(writes);
}

#endif
