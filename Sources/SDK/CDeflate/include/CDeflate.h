#ifndef CDEFLATE_H
#define CDEFLATE_H

#include <stddef.h>

/// The most bytes that `underway_gzip` may need for so many bytes of input.
size_t underway_gzip_bound(size_t count);

/// Writes input as one gzip member (RFC 1952); returns its size, or 0 when it does not fit.
size_t underway_gzip(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity, int level);

/// Reads one gzip member; returns its size, or -1 when it is damaged, -2 when it does not fit.
long underway_gunzip(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity);

/// Writes input as raw DEFLATE (RFC 1951); returns its size, or 0 when it does not fit.
size_t underway_deflate(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity, int level);

/// Reads raw DEFLATE that ends exactly with the input; returns its size, or -1 when it is damaged or ends before,
/// -2 when it does not fit.
long underway_inflate(
    const unsigned char *input, size_t count, unsigned char *output, size_t capacity);

#endif
