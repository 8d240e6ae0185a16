#include "CFaultyDisk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { disks_max = 64, files_max = 16, sector = 512, name_max = 128 };

/// A write, or with no bytes a truncation, that may not be on the platter yet.
typedef struct {
    sqlite3_int64 offset;
    int count;
    unsigned char *bytes;
} Pending;

typedef struct {
    unsigned char *bytes;
    sqlite3_int64 size;
} Content;

typedef struct {
    char name[name_max];
    int exists;
    Content platter, cache;
    Pending *pending;
    int pending_count, pending_capacity;
} File;

typedef struct {
    File files[files_max];
    long operations, power_left, room_left;
    int is_off, generation;
} Disk;

typedef struct {
    sqlite3_file base;
    int disk, file, generation;
} Handle;

static Disk disks[disks_max];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *original;
static sqlite3_vfs faulty;
static const char prefix[] = "/faulty-disk/";

static int number_of(const char *path) {
    if (path == NULL || strncmp(path, prefix, sizeof prefix - 1) != 0) {
        return -1;
    }
    int number = atoi(path + sizeof prefix - 1);
    return number >= 0 && number < disks_max ? number : -1;
}

static void grow(Content *content, sqlite3_int64 size) {
    if (size <= content->size) {
        return;
    }
    content->bytes = realloc(content->bytes, (size_t)size);
    memset(content->bytes + content->size, 0, (size_t)(size - content->size));
    content->size = size;
}

static void apply(Content *content, sqlite3_int64 offset, const unsigned char *bytes, int count) {
    if (bytes == NULL) {
        if (offset < content->size) {
            content->size = offset;
        }
        return;
    }
    grow(content, offset + count);
    memcpy(content->bytes + offset, bytes, (size_t)count);
}

static void forget_pending(File *file) {
    for (int index = 0; index < file->pending_count; index++) {
        free(file->pending[index].bytes);
    }
    file->pending_count = 0;
}

static void copy(Content *to, const Content *from) {
    to->size = 0;
    grow(to, from->size);
    if (from->size > 0) {
        memcpy(to->bytes, from->bytes, (size_t)from->size);
    }
}

static File *find(Disk *disk, const char *path, int makes) {
    for (int index = 0; index < files_max; index++) {
        if (disk->files[index].exists && strcmp(disk->files[index].name, path) == 0) {
            return &disk->files[index];
        }
    }
    if (!makes) {
        return NULL;
    }
    for (int index = 0; index < files_max; index++) {
        File *file = &disk->files[index];
        if (!file->exists) {
            file->exists = 1;
            snprintf(file->name, name_max, "%s", path);
            return file;
        }
    }
    return NULL;
}

static void empty(File *file) {
    forget_pending(file);
    free(file->pending);
    free(file->platter.bytes);
    free(file->cache.bytes);
    memset(file, 0, sizeof *file);
}

/// Counts an operation; the code with which it fails, or SQLITE_OK.
static int count(Disk *disk, int writes) {
    if (disk->is_off) {
        return SQLITE_IOERR;
    }
    disk->operations++;
    if (disk->power_left > 0 && --disk->power_left == 0) {
        disk->is_off = 1;
        return SQLITE_IOERR;
    }
    if (writes && disk->room_left == 0) {
        return SQLITE_FULL;
    }
    if (writes && disk->room_left > 0) {
        disk->room_left--;
    }
    return SQLITE_OK;
}

/// The file of a handle; NULL when it was opened before the power went.
static File *file_of(Handle *handle) {
    Disk *disk = &disks[handle->disk];
    return handle->generation == disk->generation ? &disk->files[handle->file] : NULL;
}

static int on_close(sqlite3_file *base) {
    (void)base;
    return SQLITE_OK;
}

static int on_read(sqlite3_file *base, void *output, int size, sqlite3_int64 offset) {
    pthread_mutex_lock(&lock);
    File *file = file_of((Handle *)base);
    int result = SQLITE_IOERR_READ;
    if (file != NULL && !disks[((Handle *)base)->disk].is_off) {
        sqlite3_int64 left = file->cache.size - offset;
        int found = left < 0 ? 0 : left < size ? (int)left : size;
        if (found > 0) {
            memcpy(output, file->cache.bytes + offset, (size_t)found);
        }
        memset((char *)output + found, 0, (size_t)(size - found));
        result = found == size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static void add_pending(File *file, sqlite3_int64 offset, const void *bytes, int size) {
    if (file->pending_count == file->pending_capacity) {
        file->pending_capacity = file->pending_capacity * 2 + 16;
        file->pending =
            realloc(file->pending, sizeof(Pending) * (size_t)file->pending_capacity);
    }
    Pending *pending = &file->pending[file->pending_count++];
    pending->offset = offset;
    pending->count = size;
    pending->bytes = NULL;
    if (bytes != NULL) {
        pending->bytes = malloc((size_t)size);
        memcpy(pending->bytes, bytes, (size_t)size);
    }
    apply(&file->cache, offset, pending->bytes, size);
}

static int change(sqlite3_file *base, sqlite3_int64 offset, const void *bytes, int size) {
    pthread_mutex_lock(&lock);
    Handle *handle = (Handle *)base;
    File *file = file_of(handle);
    int result = file == NULL ? SQLITE_IOERR : count(&disks[handle->disk], bytes != NULL);
    // The write during which the power goes may be on the platter in part.
    if (file != NULL && (result == SQLITE_OK || disks[handle->disk].is_off)) {
        add_pending(file, offset, bytes, size);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static int on_write(sqlite3_file *base, const void *bytes, int size, sqlite3_int64 offset) {
    return change(base, offset, bytes, size);
}

static int on_truncate(sqlite3_file *base, sqlite3_int64 size) {
    return change(base, size, NULL, 0);
}

static int on_sync(sqlite3_file *base, int flags) {
    (void)flags;
    pthread_mutex_lock(&lock);
    Handle *handle = (Handle *)base;
    File *file = file_of(handle);
    int result = file == NULL ? SQLITE_IOERR : count(&disks[handle->disk], 0);
    if (result == SQLITE_OK) {
        copy(&file->platter, &file->cache);
        forget_pending(file);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static int on_size(sqlite3_file *base, sqlite3_int64 *size) {
    pthread_mutex_lock(&lock);
    File *file = file_of((Handle *)base);
    *size = file == NULL ? 0 : file->cache.size;
    pthread_mutex_unlock(&lock);
    return file == NULL ? SQLITE_IOERR : SQLITE_OK;
}

static int on_lock(sqlite3_file *base, int level) {
    (void)base;
    (void)level;
    return SQLITE_OK;
}

static int on_check(sqlite3_file *base, int *result) {
    (void)base;
    *result = 0;
    return SQLITE_OK;
}

static int on_control(sqlite3_file *base, int operation, void *argument) {
    (void)base;
    (void)operation;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int on_sector_size(sqlite3_file *base) {
    (void)base;
    return sector;
}

static int on_characteristics(sqlite3_file *base) {
    (void)base;
    return 0;
}

/// Version 1: no shared memory, so WAL needs the exclusive locking mode.
static const sqlite3_io_methods methods = {
    1,        on_close, on_read,  on_write,   on_truncate,    on_sync,           on_size,
    on_lock,  on_lock,  on_check, on_control, on_sector_size, on_characteristics,
    NULL,     NULL,     NULL,     NULL,       NULL,           NULL};

static int on_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *result_flags) {
    (void)vfs;
    int number = number_of(path);
    if (number < 0) {
        return original->xOpen(original, path, base, flags, result_flags);
    }
    pthread_mutex_lock(&lock);
    Disk *disk = &disks[number];
    File *file = disk->is_off ? NULL : find(disk, path, flags & SQLITE_OPEN_CREATE);
    Handle *handle = (Handle *)base;
    handle->base.pMethods = file == NULL ? NULL : &methods;
    if (file != NULL) {
        handle->disk = number;
        handle->file = (int)(file - disk->files);
        handle->generation = disk->generation;
        if (result_flags != NULL) {
            *result_flags = flags;
        }
    }
    pthread_mutex_unlock(&lock);
    return file == NULL ? SQLITE_CANTOPEN : SQLITE_OK;
}

static int on_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    int number = number_of(path);
    if (number < 0) {
        return original->xDelete(original, path, syncs);
    }
    pthread_mutex_lock(&lock);
    Disk *disk = &disks[number];
    int result = count(disk, 0);
    File *file = result == SQLITE_OK ? find(disk, path, 0) : NULL;
    if (file != NULL) {
        empty(file);
    }
    pthread_mutex_unlock(&lock);
    return result != SQLITE_OK ? result : file == NULL ? SQLITE_IOERR_DELETE_NOENT : SQLITE_OK;
}

static int on_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
    (void)vfs;
    int number = number_of(path);
    if (number < 0) {
        return original->xAccess(original, path, flags, result);
    }
    pthread_mutex_lock(&lock);
    *result = find(&disks[number], path, 0) != NULL;
    pthread_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int on_full_path(sqlite3_vfs *vfs, const char *path, int size, char *output) {
    (void)vfs;
    if (number_of(path) < 0) {
        return original->xFullPathname(original, path, size, output);
    }
    snprintf(output, (size_t)size, "%s", path);
    return SQLITE_OK;
}

int faulty_disk_register(void) {
    pthread_mutex_lock(&lock);
    int result = SQLITE_OK;
    if (original == NULL) {
        original = sqlite3_vfs_find(NULL);
        faulty = *original;
        faulty.zName = "faulty-disk";
        faulty.pNext = NULL;
        if (faulty.szOsFile < (int)sizeof(Handle)) {
            faulty.szOsFile = sizeof(Handle);
        }
        faulty.xOpen = on_open;
        faulty.xDelete = on_delete;
        faulty.xAccess = on_access;
        faulty.xFullPathname = on_full_path;
        result = sqlite3_vfs_register(&faulty, 1);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void faulty_disk_reset(int disk) {
    pthread_mutex_lock(&lock);
    for (int index = 0; index < files_max; index++) {
        empty(&disks[disk].files[index]);
    }
    int generation = disks[disk].generation + 1;
    memset(&disks[disk], 0, sizeof(Disk));
    disks[disk].generation = generation;
    disks[disk].room_left = -1;
    pthread_mutex_unlock(&lock);
}

void faulty_disk_lose_power_after(int disk, long operations) {
    pthread_mutex_lock(&lock);
    disks[disk].power_left = operations;
    pthread_mutex_unlock(&lock);
}

void faulty_disk_be_full_after(int disk, long operations) {
    pthread_mutex_lock(&lock);
    disks[disk].room_left = operations;
    pthread_mutex_unlock(&lock);
}

int faulty_disk_is_off(int disk) {
    pthread_mutex_lock(&lock);
    int is_off = disks[disk].is_off;
    pthread_mutex_unlock(&lock);
    return is_off;
}

static uint64_t next(uint64_t *state) {
    uint64_t value = (*state += 0x9E3779B97F4A7C15u);
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

void faulty_disk_power_up(int number, uint64_t seed) {
    pthread_mutex_lock(&lock);
    Disk *disk = &disks[number];
    for (int index = 0; index < files_max; index++) {
        File *file = &disk->files[index];
        for (int write = 0; file->exists && write < file->pending_count; write++) {
            Pending *pending = &file->pending[write];
            uint64_t fate = next(&seed) % 3;
            if (fate == 0) {
                continue;
            }
            int size = pending->count;
            if (fate == 1 && size > sector) {
                size = sector * (int)(next(&seed) % (uint64_t)(size / sector + 1));
            }
            apply(&file->platter, pending->offset, pending->bytes, size);
        }
        forget_pending(file);
        copy(&file->cache, &file->platter);
    }
    disk->is_off = 0;
    disk->power_left = 0;
    disk->room_left = -1;
    disk->generation++;
    pthread_mutex_unlock(&lock);
}

long faulty_disk_operations(int disk) {
    pthread_mutex_lock(&lock);
    long operations = disks[disk].operations;
    pthread_mutex_unlock(&lock);
    return operations;
}
