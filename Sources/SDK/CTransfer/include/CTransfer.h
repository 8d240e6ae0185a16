#ifndef CTRANSFER_H
#define CTRANSFER_H

#include <stddef.h>
#include <stdint.h>

/// Called with bytes of a reply; returns false to end the transfer.
typedef int (*underway_head_callback)(void *context, const unsigned char *bytes, size_t count);

/// What becomes of a piece of a body.
enum { underway_body_taken = 0, underway_body_pause = 1, underway_body_end = 2 };
/// Called with bytes of a body; bytes that pause a transfer are offered again later.
typedef int (*underway_body_callback)(void *context, const unsigned char *bytes, size_t count);

/// One request, and who gets its reply.
typedef struct underway_request {
    const char *method;
    const char *url;
    /// Lines `Name: value`.
    const char *const *headers;
    size_t header_count;
    /// Copied; NULL for none.
    const unsigned char *body;
    size_t body_count;
    long connect_milliseconds;
    /// Seconds without a byte after which the transfer has failed.
    long idle_seconds;
    void *context;
    underway_head_callback on_head;
    underway_body_callback on_body;
} underway_request;

/// Many transfers in one thread, on libcurl.
typedef struct underway_loop underway_loop;
/// One of them.
typedef struct underway_transfer underway_transfer;

/// Makes a loop; NULL when memory is short.
underway_loop *underway_loop_make(void);
/// Prepares the calling thread for a loop: a connection that broke must not end the process.
void underway_loop_enter_thread(void);
/// Frees a loop without transfers.
void underway_loop_free(underway_loop *loop);
/// Ends the loop's wait; the only function that other threads may call.
void underway_loop_wake(underway_loop *loop);
/// Waits until something can be done, at most so many milliseconds.
void underway_loop_wait(underway_loop *loop, int milliseconds);
/// Does what can be done without waiting; calls the callbacks.
void underway_loop_perform(underway_loop *loop);
/// A transfer that has ended, and libcurl's code for how; NULL when there is none.
underway_transfer *underway_loop_next_done(underway_loop *loop, int *code);

/// Adds a transfer to a loop; NULL when memory is short.
underway_transfer *underway_transfer_start(underway_loop *loop, const underway_request *request);
/// Goes on with a transfer that was paused.
void underway_transfer_resume(underway_transfer *transfer);
/// Ends a transfer and frees it; no callback comes after it.
void underway_transfer_free(underway_transfer *transfer);

/// What went wrong in a transfer, in libcurl's words; empty when it does not say. Valid until the transfer is freed.
const char *underway_transfer_detail(underway_transfer *transfer);
/// True when no secure connection came about.
int underway_is_tls(int code);
/// True when the transfer took too long.
int underway_is_timeout(int code);
/// True when something that is not HTTP came back, or nothing at all.
int underway_is_not_http(int code);
/// A code in words.
const char *underway_reason(int code);

/// Removes a content encoding, piece by piece.
typedef struct underway_decoder underway_decoder;
enum { underway_gzip_decoder = 0, underway_brotli_decoder = 1 };
/// What a decoder says after a step.
enum {
    underway_decoder_needs_input = 0,
    underway_decoder_has_more = 1,
    underway_decoder_done = 2,
    underway_decoder_damaged = -1,
};

/// Makes a decoder; NULL when memory is short or the kind is not there.
underway_decoder *underway_decoder_make(int kind);
/// Decodes what fits.
///
/// The counts say how much there is and how much room; after it, how much was read and written.
int underway_decoder_step(
    underway_decoder *decoder, const unsigned char *input, size_t *input_count,
    unsigned char *output, size_t *output_count);
/// Frees a decoder.
void underway_decoder_free(underway_decoder *decoder);

#endif
