#ifndef UNDERWAY_CARCHIVE_H
#define UNDERWAY_CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

/// An open zip archive.
typedef struct underway_zip underway_zip;

/// An entry's metadata in the archive.
typedef struct {
    /// Valid while the archive is open.
    const char *name;
    /// The claimed size in bytes; reading counts the actual bytes.
    uint64_t size;
    uint64_t compressed_size;
    /// 1 for a symbolic link or another thing that is no file.
    int is_special;
    int is_encrypted;
} underway_zip_entry;

/// Opens an archive in memory, which must outlive it. Returns NULL if it is none.
underway_zip *underway_zip_open(const uint8_t *bytes, size_t size);
int64_t underway_zip_count(underway_zip *zip);
/// Returns 0 on success.
int underway_zip_stat(underway_zip *zip, int64_t index, underway_zip_entry *entry);
/// Reads at most `capacity` bytes. Returns how many there were, -1 on damage, -2 if there are more.
int64_t underway_zip_read(underway_zip *zip, int64_t index, uint8_t *output, size_t capacity);
void underway_zip_close(underway_zip *zip);

/// A zip archive that is being written to a file.
typedef struct underway_zip_writer underway_zip_writer;

underway_zip_writer *underway_zip_create(const char *path);
/// Adds a copy of the bytes under a name, with a fixed time. Returns 0 on success.
int underway_zip_add(underway_zip_writer *writer, const char *name, const uint8_t *bytes, size_t size);
/// Writes the file. Returns 0 on success; the writer is gone either way.
int underway_zip_finish(underway_zip_writer *writer);

/// Decompresses Zstandard. Returns how many bytes there were, -1 on damage, -2 if there are more
/// than `capacity`.
int64_t underway_zstd(const uint8_t *input, size_t size, uint8_t *output, size_t capacity);

#endif
