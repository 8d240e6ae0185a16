#ifndef UNDERWAY_CCOMPRESSION_H
#define UNDERWAY_CCOMPRESSION_H

#include <stddef.h>
#include <stdint.h>

/// The most bytes that brotli can need for `size` bytes of input.
size_t underway_brotli_bound(size_t size);

/// Compresses into `output`. Returns the number of bytes written, or 0 on failure.
size_t underway_brotli(const uint8_t *input, size_t size, uint8_t *output, size_t capacity, int quality);

/// True when unpacking `packed` (gzip, or brotli) gives exactly `plain`, and nothing follows it.
int underway_packed_holds(
    int is_brotli, const uint8_t *packed, size_t packed_size, const uint8_t *plain, size_t plain_size);

/// Asks the kernel to write everything of the file system that holds `descriptor` to the disk.
/// Returns 0 on success.
int underway_syncfs(int descriptor);

/// The metadata of a plain file, without reading it; times in nanoseconds since 1970.
typedef struct {
    int64_t size;
    int64_t modified;
    int64_t inode;
    int64_t changed;
} underway_file_stamp;

/// Looks at the open file `descriptor` or, where that is negative, at `path`, following no link.
/// Returns 0 unless a plain file is there.
int underway_look(int descriptor, const char *path, underway_file_stamp *stamp);

/// Finds the file system and the file that a name leads to, links followed. Returns 0 unless something is there.
int underway_identity(const char *path, uint64_t *device, uint64_t *inode);

/// The processor time of the calling thread, in nanoseconds.
int64_t underway_thread_time(void);

/// Names the calling thread as the system shows it; at most 15 bytes.
void underway_name_thread(const char *name);

#endif
