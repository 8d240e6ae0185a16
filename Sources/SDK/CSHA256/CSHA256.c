#include "CSHA256.h"

#include <stdatomic.h>
#include <string.h>

#include "rounds.h"

/// The rounds in use, chosen at the first hash. Every thread would choose the same.
static _Atomic(underway_sha256_rounds *) chosen = NULL;

static underway_sha256_rounds *rounds(void) {
    underway_sha256_rounds *found = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (found == NULL) {
        found = underway_sha256_instructions();
        if (found == NULL) {
            found = underway_sha256_portable;
        }
        atomic_store_explicit(&chosen, found, memory_order_relaxed);
    }
    return found;
}

void underway_sha256_allow_instructions(int is_allowed) {
    atomic_store_explicit(
        &chosen, is_allowed ? NULL : underway_sha256_portable, memory_order_relaxed);
}

int underway_sha256_uses_instructions(void) {
    return rounds() != underway_sha256_portable;
}

struct underway_sha256 underway_sha256_start(void) {
    // FIPS 180-4, section 5.3.3.
    return (struct underway_sha256){
        .words = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                  0x1f83d9ab, 0x5be0cd19}};
}

void underway_sha256_update(struct underway_sha256 *hash, const void *bytes, size_t count) {
    if (count == 0) {
        return;
    }
    const uint8_t *next = bytes;
    size_t waiting = hash->count % 64;
    hash->count += count;
    if (waiting > 0) {
        size_t taken = count < 64 - waiting ? count : 64 - waiting;
        memcpy(hash->block + waiting, next, taken);
        if (waiting + taken < 64) {
            return;
        }
        rounds()(hash->words, hash->block, 1);
        next += taken;
        count -= taken;
    }
    if (count >= 64) {
        rounds()(hash->words, next, count / 64);
        next += count / 64 * 64;
    }
    memcpy(hash->block, next, count % 64);
}

void underway_sha256_finish(struct underway_sha256 *hash, uint8_t digest[32]) {
    // FIPS 180-4, section 5.1.1: one bit, zeros, and the number of bits in the last eight bytes.
    size_t waiting = hash->count % 64;
    uint8_t last[128] = {0};
    memcpy(last, hash->block, waiting);
    last[waiting] = 0x80;
    size_t blocks = waiting < 56 ? 1 : 2;
    uint64_t bits = hash->count * 8;
    for (size_t index = 0; index < 8; index++) {
        last[64 * blocks - 1 - index] = (uint8_t)(bits >> (8 * index));
    }
    rounds()(hash->words, last, blocks);
    for (size_t index = 0; index < 32; index++) {
        digest[index] = (uint8_t)(hash->words[index / 4] >> (24 - 8 * (index % 4)));
    }
}
