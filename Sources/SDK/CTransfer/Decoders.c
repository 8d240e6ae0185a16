#include "CTransfer.h"

#if defined(__linux__)

#include <brotli/decode.h>
#include <stdlib.h>
#include <zlib.h>

/// zlib's code for a window of 32 KiB with a gzip header.
enum { gzip_window = 15 + 16 };

struct underway_decoder {
    int kind;
    int has_ended;
    z_stream gzip;
    BrotliDecoderState *brotli;
};

underway_decoder *underway_decoder_make(int kind) {
    underway_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) {
        return NULL;
    }
    decoder->kind = kind;
    int is_made = 0;
    if (kind == underway_gzip_decoder) {
        is_made = inflateInit2(&decoder->gzip, gzip_window) == Z_OK;
    } else {
        decoder->brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
        is_made = decoder->brotli != NULL;
    }
    if (!is_made) {
        free(decoder);
        return NULL;
    }
    return decoder;
}

static int step_gzip(
    underway_decoder *decoder, const unsigned char *input, size_t *input_count,
    unsigned char *output, size_t *output_count) {
    z_stream *stream = &decoder->gzip;
    // Another member may follow the first (RFC 1952, section 2.2).
    if (decoder->has_ended && *input_count > 0) {
        if (inflateReset(stream) != Z_OK) {
            return underway_decoder_damaged;
        }
        decoder->has_ended = 0;
    }
    stream->next_in = (unsigned char *)input;
    stream->avail_in = (uInt)*input_count;
    stream->next_out = output;
    stream->avail_out = (uInt)*output_count;
    int status = inflate(stream, Z_NO_FLUSH);
    *input_count -= stream->avail_in;
    *output_count -= stream->avail_out;
    switch (status) {
    case Z_STREAM_END:
        decoder->has_ended = 1;
        return underway_decoder_done;
    case Z_OK:
    case Z_BUF_ERROR:
        return stream->avail_out == 0 ? underway_decoder_has_more : underway_decoder_needs_input;
    default:
        return underway_decoder_damaged;
    }
}

static int step_brotli(
    underway_decoder *decoder, const unsigned char *input, size_t *input_count,
    unsigned char *output, size_t *output_count) {
    size_t input_left = *input_count;
    size_t output_left = *output_count;
    BrotliDecoderResult result = BrotliDecoderDecompressStream(
        decoder->brotli, &input_left, &input, &output_left, &output, NULL);
    *input_count -= input_left;
    *output_count -= output_left;
    switch (result) {
    case BROTLI_DECODER_RESULT_SUCCESS:
        // Nothing may follow.
        return input_left == 0 ? underway_decoder_done : underway_decoder_damaged;
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
        return underway_decoder_has_more;
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
        return underway_decoder_needs_input;
    default:
        return underway_decoder_damaged;
    }
}

int underway_decoder_step(
    underway_decoder *decoder, const unsigned char *input, size_t *input_count,
    unsigned char *output, size_t *output_count) {
    return decoder->kind == underway_gzip_decoder
        ? step_gzip(decoder, input, input_count, output, output_count)
        : step_brotli(decoder, input, input_count, output, output_count);
}

void underway_decoder_free(underway_decoder *decoder) {
    if (decoder->kind == underway_gzip_decoder) {
        inflateEnd(&decoder->gzip);
    } else {
        BrotliDecoderDestroyInstance(decoder->brotli);
    }
    free(decoder);
}

#endif
