// Stands between a program and the C library (LD_PRELOAD): counts its changes of files below a folder, and
// lets the disk be full from one of them on, or kills the program just before it.
//
// FAULT_ROOT  the folder, as realpath gives it
// FAULT_AT    the number of the change, from 1
// FAULT_KIND  full or kill
// FAULT_HIT   a file, outside of the folder, that is made when it happens
// FAULT_LOG   a file, outside of the folder, that gets a line for each change: what, and the path
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long changes;

static int is_inside(const char *path) {
    const char *root = getenv("FAULT_ROOT");
    if (root == NULL || path == NULL) {
        return 0;
    }
    size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_inside_at(int folder, const char *path) {
    if (path != NULL && (path[0] == '/' || folder == AT_FDCWD)) {
        return is_inside(path);
    }
    char link[64], target[PATH_MAX + 1];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t count = readlink(link, target, PATH_MAX);
    if (count < 0) {
        return 0;
    }
    target[count] = 0;
    return is_inside(target);
}

static int is_inside_open(int descriptor) { return is_inside_at(descriptor, NULL); }

static void note(const char *what, const char *path) {
    const char *log = getenv("FAULT_LOG");
    if (log == NULL) {
        return;
    }
    char line[PATH_MAX + 32];
    int count = snprintf(line, sizeof line, "%s %s\n", what, path);
    long file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
        syscall(SYS_write, (int)file, line, (size_t)count);
        syscall(SYS_close, (int)file);
    }
}

static int note_open(const char *what, int descriptor) {
    char link[64], target[PATH_MAX + 1];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, target, PATH_MAX);
    if (count >= 0) {
        target[count] = 0;
        note(what, target);
    }
    return 1;
}

static int note_path(const char *what, const char *path) {
    note(what, path);
    return 1;
}

/// Counts a change; true when it must fail. `fills` is false for what a full disk still allows.
static int fails(int fills) {
    const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND"), *hit = getenv("FAULT_HIT");
    if (at == NULL || kind == NULL) {
        return 0;
    }
    int kills = strcmp(kind, "kill") == 0;
    if (!kills && !fills) {
        return 0;
    }
    if (atomic_fetch_add(&changes, 1) + 1 < atol(at)) {
        return 0;
    }
    if (hit != NULL) {
        long file = syscall(SYS_openat, AT_FDCWD, hit, O_WRONLY | O_CREAT, 0600);
        if (file >= 0) {
            syscall(SYS_close, (int)file);
        }
    }
    if (kills) {
        kill(getpid(), SIGKILL);
        pause();
    }
    errno = ENOSPC;
    return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opens(int folder, const char *path, int flags) {
    return (flags & (O_CREAT | O_TRUNC)) && is_inside_at(folder, path) && fails(1);
}

#define MODE(flags, mode)                  \
    mode_t mode = 0;                       \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list list;                      \
        va_start(list, flags);             \
        mode = va_arg(list, mode_t);       \
        va_end(list);                      \
    }

int open(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opens(AT_FDCWD, path, flags) ? -1 : NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opens(AT_FDCWD, path, flags) ? -1 : NEXT(open64)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    MODE(flags, mode)
    return opens(folder, path, flags) ? -1 : NEXT(openat)(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    MODE(flags, mode)
    return opens(folder, path, flags) ? -1 : NEXT(openat64)(folder, path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (descriptor > 2 && is_inside_open(descriptor) && note_open("write", descriptor) && fails(1)) {
        // A disk that fills up takes a part first.
        if (count > 1) {
            ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
            next(descriptor, bytes, count / 2);
            errno = ENOSPC;
        }
        return -1;
    }
    return NEXT(write)(descriptor, bytes, count);
}

int mkdir(const char *path, mode_t mode) {
    struct stat info;
    int changes_something = is_inside(path) && stat(path, &info) != 0;
    return changes_something && fails(1) ? -1 : NEXT(mkdir)(path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    return is_inside_at(folder, path) && fails(1) ? -1 : NEXT(mkdirat)(folder, path, mode);
}

int link(const char *path, const char *name) {
    return is_inside(name) && fails(1) ? -1 : NEXT(link)(path, name);
}

int linkat(int from, const char *path, int folder, const char *name, int flags) {
    return is_inside_at(folder, name) && fails(1) ? -1 : NEXT(linkat)(from, path, folder, name, flags);
}

int rename(const char *path, const char *name) {
    return is_inside(name) && note_path("rename", name) && fails(1) ? -1 : NEXT(rename)(path, name);
}

int renameat(int from, const char *path, int folder, const char *name) {
    return is_inside_at(folder, name) && note_path("rename", name) && fails(1)
               ? -1 : NEXT(renameat)(from, path, folder, name);
}

int unlink(const char *path) {
    return is_inside(path) && note_path("unlink", path) && fails(0) ? -1 : NEXT(unlink)(path);
}

int unlinkat(int folder, const char *path, int flags) {
    return is_inside_at(folder, path) && note_path("unlink", path) && fails(0)
               ? -1 : NEXT(unlinkat)(folder, path, flags);
}

int fsync(int descriptor) {
    return is_inside_open(descriptor) && note_open("fsync", descriptor) && fails(1) ? -1 : NEXT(fsync)(descriptor);
}

int fdatasync(int descriptor) {
    return is_inside_open(descriptor) && note_open("fdatasync", descriptor) && fails(1) ? -1 : NEXT(fdatasync)(descriptor);
}

int syncfs(int descriptor) {
    return is_inside_open(descriptor) && note_open("syncfs", descriptor) && fails(1) ? -1 : NEXT(syncfs)(descriptor);
}
