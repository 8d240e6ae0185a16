// The C library of the machine stands in for Darwin's; what is used of both is POSIX.
@_exported public import Glibc
