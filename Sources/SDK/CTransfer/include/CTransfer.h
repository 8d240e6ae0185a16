#ifndef CTRANSFER_H
#define CTRANSFER_H

#include <stddef.h>
#include <stdint.h>

/// A function that is called with bytes of a reply; it returns false to end the transfer.
typedef int (*underway_head_callback)(void *context, const unsigned char *bytes, size_t count);

/// The result of a call with a chunk of a body.
enum { underway_body_taken = 0, underway_body_pause = 1, underway_body_end = 2 };
/// A function that is called with bytes of a body; bytes that pause a transfer are offered again later.
typedef int (*underway_body_callback)(void *context, const unsigned char *bytes, size_t count);

/// A request with its callbacks.
typedef struct underway_request {
    const char *method;
    const char *url;
    /// The header fields, as lines `Name: value`.
    const char *const *headers;
    size_t header_count;
    /// The body, which is copied; NULL for none.
    const unsigned char *body;
    size_t body_count;
    long connect_milliseconds;
    /// The time without a byte after which the transfer fails, in seconds.
    long idle_seconds;
    void *context;
    underway_head_callback on_head;
    underway_body_callback on_body;
} underway_request;

/// A loop of many transfers in one thread, on libcurl.
typedef struct underway_loop underway_loop;
/// A transfer of a loop.
typedef struct underway_transfer underway_transfer;

/// Creates a loop; NULL when memory is exhausted.
underway_loop *underway_loop_make(void);
/// Prepares the calling thread for a loop, so that a broken connection does not end the process.
void underway_loop_enter_thread(void);
/// Frees a loop without transfers.
void underway_loop_free(underway_loop *loop);
/// Wakes the loop from its wait; the only function that other threads may call.
void underway_loop_wake(underway_loop *loop);
/// Waits until a transfer can proceed, for at most a number of milliseconds.
void underway_loop_wait(underway_loop *loop, int milliseconds);
/// Processes all transfers that can proceed without waiting; calls the callbacks.
void underway_loop_perform(underway_loop *loop);
/// Returns a completed transfer with libcurl's code of its result; NULL when there is none.
underway_transfer *underway_loop_next_done(underway_loop *loop, int *code);

/// Adds a transfer to a loop; NULL when memory is exhausted.
underway_transfer *underway_transfer_start(underway_loop *loop, const underway_request *request);
/// Resumes a paused transfer.
void underway_transfer_resume(underway_transfer *transfer);
/// Ends a transfer and frees it; it calls no more callbacks.
void underway_transfer_free(underway_transfer *transfer);

/// Returns libcurl's message about the failure of a transfer, or an empty text; valid until the transfer is freed.
const char *underway_transfer_detail(underway_transfer *transfer);
/// Returns true for a code of a failed secure connection.
int underway_is_tls(int code);
/// Returns true for a code of a timeout.
int underway_is_timeout(int code);
/// Returns true for a code of a missing reply, or of one that is not HTTP.
int underway_is_not_http(int code);
/// Returns libcurl's description of a code.
const char *underway_reason(int code);

/// A decoder that removes a content encoding, chunk by chunk.
typedef struct underway_decoder underway_decoder;
enum { underway_gzip_decoder = 0, underway_brotli_decoder = 1 };
/// The state of a decoder after a step.
enum {
    underway_decoder_needs_input = 0,
    underway_decoder_has_more = 1,
    underway_decoder_done = 2,
    underway_decoder_damaged = -1,
};

/// Creates a decoder; NULL when memory is exhausted or the kind is unknown.
underway_decoder *underway_decoder_make(int kind);
/// Decodes as many bytes as fit into the output.
///
/// The counts are the available bytes and space; after the call, the numbers of bytes read and written.
int underway_decoder_step(
    underway_decoder *decoder, const unsigned char *input, size_t *input_count,
    unsigned char *output, size_t *output_count);
/// Frees a decoder.
void underway_decoder_free(underway_decoder *decoder);

#endif
