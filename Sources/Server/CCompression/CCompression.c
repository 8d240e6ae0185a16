#define _GNU_SOURCE
#include "CCompression.h"

#include <brotli/encode.h>
#include <unistd.h>

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
