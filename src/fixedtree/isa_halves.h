/* Parts of rows of halves, the same for every ISA whose header has f32_load_f16 and f32_load_bf16.
 */
#ifndef SS_ISA_HALVES_H
#define SS_ISA_HALVES_H

#include <stdint.h>
#include <string.h>

/* Fills the lanes from the first n halves at p, then with pad. */
static inline const uint16_t *part_of_halves(uint16_t *lane, const void *p, int n, uint16_t pad)
{
    for (int j = 0; j < f32_width; j++) {
        lane[j] = pad;
        if (j < n)
            memcpy(&lane[j], (const char *)p + (size_t)j * sizeof *lane, sizeof *lane);
    }
    return lane;
}
static inline f32_vec f32_load_part_f16(const void *p, int n, uint16_t pad)
{
    uint16_t lane[f32_width];
    return f32_load_f16(part_of_halves(lane, p, n, pad));
}
static inline f32_vec f32_load_part_bf16(const void *p, int n, uint16_t pad)
{
    uint16_t lane[f32_width];
    return f32_load_bf16(part_of_halves(lane, p, n, pad));
}

#endif
