#ifndef CEXTENDEDATTRIBUTES_H
#define CEXTENDEDATTRIBUTES_H

#include <stddef.h>
#include <sys/types.h>

/// Sets an extended attribute of a file; 0, or -1 with `errno`.
int underway_set_attribute(const char *path, const char *name, const void *bytes, size_t count);

/// Reads an extended attribute into a buffer; its length, or -1 with `errno`.
ssize_t underway_get_attribute(const char *path, const char *name, void *bytes, size_t capacity);

#endif
