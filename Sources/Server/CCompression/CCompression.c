#define _GNU_SOURCE
#include "CCompression.h"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { piece = 32 * 1024 };

/// A comparison of a decoder's output with the expected bytes.
typedef struct {
    const uint8_t *expected;
    size_t left;
} Comparison;

static int agrees(Comparison *comparison, const uint8_t *bytes, size_t count) {
    if (count > comparison->left || memcmp(comparison->expected, bytes, count) != 0) {
        return 0;
    }
    comparison->expected += count;
    comparison->left -= count;
    return 1;
}

static int gzip_holds(const uint8_t *packed, size_t size, Comparison comparison) {
    uint8_t buffer[piece];
    z_stream stream = {0};
    if (size > UINT32_MAX || inflateInit2(&stream, 15 + 16) != Z_OK) {
        return 0;
    }
    stream.next_in = (uint8_t *)packed;
    stream.avail_in = (uInt)size;
    int status;
    do {
        stream.next_out = buffer;
        stream.avail_out = piece;
        status = inflate(&stream, Z_NO_FLUSH);
        if (!agrees(&comparison, buffer, piece - stream.avail_out)) {
            status = Z_DATA_ERROR;
        }
    } while (status == Z_OK);
    int is_whole = status == Z_STREAM_END && stream.avail_in == 0 && comparison.left == 0;
    inflateEnd(&stream);
    return is_whole;
}

static int brotli_holds(const uint8_t *packed, size_t size, Comparison comparison) {
    uint8_t buffer[piece];
    BrotliDecoderState *decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (decoder == NULL) {
        return 0;
    }
    BrotliDecoderResult result;
    do {
        uint8_t *output = buffer;
        size_t room = piece;
        result = BrotliDecoderDecompressStream(decoder, &size, &packed, &room, &output, NULL);
        if (!agrees(&comparison, buffer, piece - room)) {
            result = BROTLI_DECODER_RESULT_ERROR;
        }
    } while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT);
    int is_whole = result == BROTLI_DECODER_RESULT_SUCCESS && size == 0 && comparison.left == 0;
    BrotliDecoderDestroyInstance(decoder);
    return is_whole;
}

int underway_packed_holds(
    int is_brotli, const uint8_t *packed, size_t packed_size, const uint8_t *plain, size_t plain_size) {
    Comparison comparison = {plain, plain_size};
    return is_brotli ? brotli_holds(packed, packed_size, comparison)
                     : gzip_holds(packed, packed_size, comparison);
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

static int64_t nanoseconds(struct timespec time) {
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t underway_thread_time(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return nanoseconds(time);
}

void underway_name_thread(const char *name) {
#ifdef __linux__
    pthread_setname_np(pthread_self(), name);
#else
    pthread_setname_np(name);
#endif
}

int underway_look(int descriptor, const char *path, underway_file_stamp *stamp) {
    struct stat info;
    int failed = descriptor >= 0 ? fstat(descriptor, &info) : lstat(path, &info);
    if (failed || !S_ISREG(info.st_mode)) {
        return 0;
    }
    stamp->size = info.st_size;
    stamp->inode = (int64_t)info.st_ino;
#ifdef __linux__
    stamp->modified = nanoseconds(info.st_mtim);
    stamp->changed = nanoseconds(info.st_ctim);
#else
    stamp->modified = nanoseconds(info.st_mtimespec);
    stamp->changed = nanoseconds(info.st_ctimespec);
#endif
    return 1;
}

int underway_identity(const char *path, uint64_t *device, uint64_t *inode) {
    struct stat info;
    if (stat(path, &info) != 0) {
        return 0;
    }
    *device = (uint64_t)info.st_dev;
    *inode = (uint64_t)info.st_ino;
    return 1;
}
