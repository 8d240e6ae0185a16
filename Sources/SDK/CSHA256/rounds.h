#ifndef UNDERWAY_SHA256_ROUNDS_H
#define UNDERWAY_SHA256_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

/// Hashes whole blocks of 64 bytes into the eight words.
typedef void underway_sha256_rounds(uint32_t words[8], const uint8_t *bytes, size_t blocks);

/// FIPS 180-4, section 4.2.2: the fractional parts of the cube roots of the first 64 primes.
extern const uint32_t underway_sha256_constants[64];

/// The rounds in plain C.
underway_sha256_rounds underway_sha256_portable;

/// Returns the rounds by the instructions that this processor has for SHA-256, or NULL.
underway_sha256_rounds *underway_sha256_instructions(void);

#endif
