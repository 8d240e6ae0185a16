#include "CDeflate.h"

#include <zlib.h>

/// zlib's code for a window of 32 KiB with a gzip header.
static const int gzip_window = 15 + 16;
/// zlib's code for the same window without any header.
static const int raw_window = -15;
/// The part of a window in which zlib makes no matches (MIN_LOOKAHEAD).
static const size_t lookahead = 262;

size_t underway_gzip_bound(size_t count) {
    return compressBound(count) + 18;
}

static size_t pack(
    int window, int memory, const unsigned char *input, size_t count, unsigned char *output,
    size_t capacity, int level) {
    z_stream stream = {0};
    if (deflateInit2(&stream, level, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY) != Z_OK) {
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

static long unpack(
    int window, const unsigned char *input, size_t count, unsigned char *output, size_t capacity,
    size_t *left) {
    z_stream stream = {0};
    if (inflateInit2(&stream, window) != Z_OK) {
        return -1;
    }
    stream.next_in = (unsigned char *)input;
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int status = inflate(&stream, Z_FINISH);
    long size = (long)stream.total_out;
    int is_full = stream.avail_out == 0;
    *left = stream.avail_in;
    inflateEnd(&stream);
    if (status == Z_STREAM_END) {
        return size;
    }
    return is_full ? -2 : -1;
}

size_t underway_gzip(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity, int level) {
    return pack(gzip_window, 8, input, count, output, capacity, level);
}

long underway_gunzip(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity) {
    size_t left;
    return unpack(gzip_window, input, count, output, capacity, &left);
}

size_t underway_deflate(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity, int level) {
    // Room for so many bytes and symbols, and not for more: to set that up takes twenty times as long as to pack little.
    int window = 9;
    while (window < -raw_window && ((size_t)1 << window) < count + lookahead) {
        window += 1;
    }
    int memory = 1;
    while (memory < 8 && ((size_t)1 << (memory + 6)) <= count + 1) {
        memory += 1;
    }
    return pack(-window, memory, input, count, output, capacity, level);
}

long underway_inflate(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity) {
    size_t left;
    long size = unpack(raw_window, input, count, output, capacity, &left);
    return size >= 0 && left > 0 ? -1 : size;
}
