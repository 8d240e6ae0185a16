#define _GNU_SOURCE
#include "CCompression.h"

#include <brotli/encode.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

// 15 window bits, plus 16 for a gzip header instead of zlib's own.
enum { gzip_window_bits = 15 + 16, memory_level = 8 };

size_t underway_gzip_bound(size_t size) {
    return compressBound(size) + 32;
}

size_t underway_gzip(const uint8_t *input, size_t size, uint8_t *output, size_t capacity, int level) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window_bits, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return 0;
    }
    stream.next_in = (uint8_t *)input;
    stream.avail_in = (uInt)size;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int result = deflate(&stream, Z_FINISH);
    size_t written = result == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
    return written;
}

size_t underway_brotli_bound(size_t size) {
    return BrotliEncoderMaxCompressedSize(size);
}

size_t underway_brotli(const uint8_t *input, size_t size, uint8_t *output, size_t capacity, int quality) {
    size_t written = capacity;
    BROTLI_BOOL ok = BrotliEncoderCompress(quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, size,
                                           input, &written, output);
    return ok ? written : 0;
}

int underway_syncfs(int descriptor) {
#ifdef __linux__
    return syncfs(descriptor);
#else
    return fsync(descriptor);
#endif
}
