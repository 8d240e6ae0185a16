#include "rounds.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

/// The Intel SHA extensions: `sha256rnds2` does two rounds, `sha256msg1` and `sha256msg2` extend the
/// message by four words. The words lie as (a, b, e, f) and (c, d, g, h), the first one highest.
__attribute__((target("sha,sse4.1"))) static void rounds(
    uint32_t words[8], const uint8_t *bytes, size_t blocks) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i low = _mm_loadu_si128((const __m128i *)words);
    __m128i high = _mm_loadu_si128((const __m128i *)(words + 4));
    __m128i badc = _mm_shuffle_epi32(low, 0xb1);
    __m128i hgfe = _mm_shuffle_epi32(high, 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; blocks > 0; blocks--, bytes += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i message[4];
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            __m128i *now = &message[group % 4];
            if (group < 4) {
                *now = _mm_shuffle_epi8(
                    _mm_loadu_si128((const __m128i *)(bytes + 16 * group)), swap);
            } else {
                const __m128i last = message[(group + 3) % 4];
                const __m128i seven_before = _mm_alignr_epi8(last, message[(group + 2) % 4], 4);
                *now = _mm_sha256msg1_epu32(*now, message[(group + 1) % 4]);
                *now = _mm_sha256msg2_epu32(_mm_add_epi32(*now, seven_before), last);
            }
            const __m128i sum = _mm_add_epi32(
                *now, _mm_loadu_si128((const __m128i *)(underway_sha256_constants + 4 * group)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)words, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

underway_sha256_rounds *underway_sha256_instructions(void) {
    unsigned a, b, c, d;
    // Leaf 1: SSSE3 and SSE4.1 in ECX; leaf 7: SHA in EBX.
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) {
        return NULL;
    }
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29)) ? rounds : NULL;
}

#elif defined(__aarch64__) && defined(__linux__)

#include <arm_neon.h>
#include <sys/auxv.h>

/// The SHA-256 instructions of ARMv8: `sha256h` and `sha256h2` do four rounds, `sha256su0` and
/// `sha256su1` extend the message by four words.
__attribute__((target("sha2"))) static void rounds(
    uint32_t words[8], const uint8_t *bytes, size_t blocks) {
    uint32x4_t abcd = vld1q_u32(words);
    uint32x4_t efgh = vld1q_u32(words + 4);
    for (; blocks > 0; blocks--, bytes += 64) {
        const uint32x4_t abcd_before = abcd, efgh_before = efgh;
        uint32x4_t message[4];
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            uint32x4_t *now = &message[group % 4];
            if (group < 4) {
                *now = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16 * group)));
            } else {
                *now = vsha256su0q_u32(*now, message[(group + 1) % 4]);
                *now = vsha256su1q_u32(*now, message[(group + 2) % 4], message[(group + 3) % 4]);
            }
            const uint32x4_t sum = vaddq_u32(*now, vld1q_u32(underway_sha256_constants + 4 * group));
            const uint32x4_t abcd_now = abcd;
            abcd = vsha256hq_u32(abcd, efgh, sum);
            efgh = vsha256h2q_u32(efgh, abcd_now, sum);
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(words, abcd);
    vst1q_u32(words + 4, efgh);
}

underway_sha256_rounds *underway_sha256_instructions(void) {
    const unsigned long sha2 = 1 << 6;  // HWCAP_SHA2 of <asm/hwcap.h>
    return getauxval(AT_HWCAP) & sha2 ? rounds : NULL;
}

#else

underway_sha256_rounds *underway_sha256_instructions(void) {
    return NULL;
}

#endif
