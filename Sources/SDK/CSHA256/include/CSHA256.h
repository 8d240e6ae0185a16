#ifndef UNDERWAY_CSHA256_H
#define UNDERWAY_CSHA256_H

#include <stddef.h>
#include <stdint.h>

/// A hash under way: the eight words, the bytes of an incomplete block, and the number of all bytes.
struct underway_sha256 {
    uint32_t words[8];
    uint8_t block[64];
    uint64_t count;
};

/// Returns the state before the first byte.
struct underway_sha256 underway_sha256_start(void);

/// Adds the next bytes.
void underway_sha256_update(struct underway_sha256 *hash, const void *bytes, size_t count);

/// Pads the last block and writes the digest. The state is used up.
void underway_sha256_finish(struct underway_sha256 *hash, uint8_t digest[32]);

/// Sets whether the processor's own instructions may be used, which is the default.
/// For tests of the portable code. Hashes under way go on by the other rounds and come to the same.
void underway_sha256_allow_instructions(int is_allowed);

/// Returns 1 when blocks are hashed by the processor's own instructions.
int underway_sha256_uses_instructions(void);

#endif
