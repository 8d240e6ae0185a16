#include "CExtendedAttributes.h"

#include <sys/xattr.h>

int underway_set_attribute(const char *path, const char *name, const void *bytes, size_t count) {
#ifdef __APPLE__
    return setxattr(path, name, bytes, count, 0, 0);
#else
    return setxattr(path, name, bytes, count, 0);
#endif
}

ssize_t underway_get_attribute(const char *path, const char *name, void *bytes, size_t capacity) {
#ifdef __APPLE__
    return getxattr(path, name, bytes, capacity, 0, 0);
#else
    return getxattr(path, name, bytes, capacity);
#endif
}
