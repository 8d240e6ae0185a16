#include "CArchive.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>
#include <zstd.h>

// File types in the upper half of the external attributes of an archive made on Unix.
enum { unix_type_mask = 0170000, unix_file = 0100000, unix_folder = 0040000 };

underway_zip *underway_zip_open(const uint8_t *bytes, size_t size) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(bytes, size, 0, &error);
    if (source == NULL) {
        return NULL;
    }
    zip_t *zip = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (zip == NULL) {
        zip_source_free(source);
    }
    zip_error_fini(&error);
    return (underway_zip *)zip;
}

int64_t underway_zip_count(underway_zip *zip) {
    return zip_get_num_entries((zip_t *)zip, 0);
}

int underway_zip_stat(underway_zip *zip, int64_t index, underway_zip_entry *entry) {
    zip_stat_t stat;
    memset(entry, 0, sizeof *entry);
    if (index < 0 || zip_stat_index((zip_t *)zip, (zip_uint64_t)index, 0, &stat) != 0) {
        return -1;
    }
    if ((stat.valid & ZIP_STAT_NAME) == 0 || (stat.valid & ZIP_STAT_SIZE) == 0) {
        return -1;
    }
    entry->name = stat.name;
    entry->size = stat.size;
    entry->compressed_size = stat.comp_size;
    entry->is_encrypted = (stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE;
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes((zip_t *)zip, (zip_uint64_t)index, 0, &system, &attributes) == 0 &&
        system == ZIP_OPSYS_UNIX) {
        unsigned type = (attributes >> 16) & unix_type_mask;
        entry->is_special = type != 0 && type != unix_file && type != unix_folder;
    }
    return 0;
}

int64_t underway_zip_read(underway_zip *zip, int64_t index, uint8_t *output, size_t capacity) {
    zip_file_t *file = zip_fopen_index((zip_t *)zip, (zip_uint64_t)index, 0);
    if (file == NULL) {
        return -1;
    }
    size_t total = 0;
    int64_t result = 0;
    while (total < capacity) {
        zip_int64_t got = zip_fread(file, output + total, capacity - total);
        if (got <= 0) {
            result = got < 0 ? -1 : 0;
            break;
        }
        total += (size_t)got;
    }
    if (result == 0 && total == capacity) {
        uint8_t extra;
        zip_int64_t got = zip_fread(file, &extra, 1);
        result = got > 0 ? -2 : got < 0 ? -1 : 0;
    }
    // Closing compares the checksum of what was read.
    if (zip_fclose(file) != 0 && result == 0) {
        result = -1;
    }
    return result < 0 ? result : (int64_t)total;
}

void underway_zip_close(underway_zip *zip) {
    zip_discard((zip_t *)zip);
}

underway_zip_writer *underway_zip_create(const char *path) {
    int error = 0;
    return (underway_zip_writer *)zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &error);
}

int underway_zip_add(underway_zip_writer *writer, const char *name, const uint8_t *bytes, size_t size) {
    zip_t *zip = (zip_t *)writer;
    void *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) {
        return -1;
    }
    memcpy(copy, bytes, size);
    zip_source_t *source = zip_source_buffer(zip, copy, size, 1);
    if (source == NULL) {
        free(copy);
        return -1;
    }
    zip_int64_t index = zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return -1;
    }
    // The first moment that the format can tell, so that equal content gives equal archives.
    zip_file_set_dostime(zip, (zip_uint64_t)index, 0, (1 << 5) | 1, 0);
    return 0;
}

int underway_zip_finish(underway_zip_writer *writer) {
    if (zip_close((zip_t *)writer) == 0) {
        return 0;
    }
    zip_discard((zip_t *)writer);
    return -1;
}

int64_t underway_zstd(const uint8_t *input, size_t size, uint8_t *output, size_t capacity) {
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (context == NULL) {
        return -1;
    }
    // Frames may leave their size open, so it is found by decompressing.
    ZSTD_inBuffer in = {input, size, 0};
    ZSTD_outBuffer out = {output, capacity, 0};
    int64_t result = -1;
    for (;;) {
        size_t before = in.pos + out.pos;
        size_t left = ZSTD_decompressStream(context, &out, &in);
        if (ZSTD_isError(left)) {
            break;
        }
        if (left == 0 && in.pos == in.size) {
            result = (int64_t)out.pos;
            break;
        }
        if (in.pos + out.pos == before) {
            result = out.pos == out.size ? -2 : -1;
            break;
        }
    }
    ZSTD_freeDCtx(context);
    return result;
}
