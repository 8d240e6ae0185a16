#include "CDeflate.h"

#include <zlib.h>

/// zlib's code for a window of 32 KiB with a gzip header.
static const int gzip_window = 15 + 16;

size_t underway_gzip_bound(size_t count) {
    return compressBound(count) + 18;
}

size_t underway_gzip(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity, int level) {
    z_stream stream = {0};
    if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        return 0;
    }
    stream.next_in = (unsigned char *)input;
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int status = deflate(&stream, Z_FINISH);
    size_t size = stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? size : 0;
}

long underway_gunzip(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity) {
    z_stream stream = {0};
    if (inflateInit2(&stream, gzip_window) != Z_OK) {
        return -1;
    }
    stream.next_in = (unsigned char *)input;
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int status = inflate(&stream, Z_FINISH);
    long size = (long)stream.total_out;
    int is_full = stream.avail_out == 0;
    inflateEnd(&stream);
    if (status == Z_STREAM_END) {
        return size;
    }
    return is_full ? -2 : -1;
}
