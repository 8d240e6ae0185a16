#include "rounds.h"

const uint32_t underway_sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotated(uint32_t word, int count) {
    return word >> count | word << (32 - count);
}

static inline uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// One round (FIPS 180-4, section 6.2.2, step 3) on words that keep their places: the caller names
/// them in another order each time instead of moving them.
#define ROUND(a, b, c, d, e, f, g, h, sum)                                                        \
    do {                                                                                          \
        h += (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + (g ^ (e & (f ^ g))) + (sum);     \
        d += h;                                                                                   \
        h += (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) | (c & (a | b)));       \
    } while (0)

/// The word of round `t` plus its constant. From the 17th round on, a word replaces the one of 16
/// rounds before (step 1).
static inline __attribute__((always_inline)) uint32_t scheduled(
    uint32_t ring[16], const uint8_t *block, int t) {
    if (t < 16) {
        ring[t] = big_endian(block + 4 * t);
    } else {
        uint32_t early = ring[(t + 1) % 16];
        uint32_t late = ring[(t + 14) % 16];
        ring[t % 16] += ring[(t + 9) % 16] + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3)
            + (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
    }
    return ring[t % 16] + underway_sha256_constants[t];
}

void underway_sha256_portable(uint32_t words[8], const uint8_t *bytes, size_t blocks) {
    for (; blocks > 0; blocks--, bytes += 64) {
        uint32_t ring[16];
        uint32_t a = words[0], b = words[1], c = words[2], d = words[3];
        uint32_t e = words[4], f = words[5], g = words[6], h = words[7];
#pragma clang loop unroll(full)
        for (int t = 0; t < 64; t += 8) {
            ROUND(a, b, c, d, e, f, g, h, scheduled(ring, bytes, t));
            ROUND(h, a, b, c, d, e, f, g, scheduled(ring, bytes, t + 1));
            ROUND(g, h, a, b, c, d, e, f, scheduled(ring, bytes, t + 2));
            ROUND(f, g, h, a, b, c, d, e, scheduled(ring, bytes, t + 3));
            ROUND(e, f, g, h, a, b, c, d, scheduled(ring, bytes, t + 4));
            ROUND(d, e, f, g, h, a, b, c, scheduled(ring, bytes, t + 5));
            ROUND(c, d, e, f, g, h, a, b, scheduled(ring, bytes, t + 6));
            ROUND(b, c, d, e, f, g, h, a, scheduled(ring, bytes, t + 7));
        }
        words[0] += a, words[1] += b, words[2] += c, words[3] += d;
        words[4] += e, words[5] += f, words[6] += g, words[7] += h;
    }
}
