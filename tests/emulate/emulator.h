/* emulator.h - runs kernels on the CPU: each thread of a block is a coroutine of one CPU thread,
 * and the warps of a block go on in random order from one barrier to the next.
 *
 * It finds wrong results, reads of what is not the caller's, stores past the end of shared memory,
 * data used before the asynchronous copy of it was waited for, barriers that not all reach. It does
 * not show what only a device does: blocks run one after another (in random order), fences and the
 * order of stores mean nothing, atomics cannot be torn, there are no races, registers, or times,
 * and level exact is left out. What passes here is still to be run on a device. */
#ifndef TESTS_EMULATE_EMULATOR_H
#define TESTS_EMULATE_EMULATOR_H

#include "emulator_memory.h"

struct emu_counts {
    unsigned long kernels, blocks, copies, bytes_alone, foreign_reads;
    std::set<const void *> launched; /* kernels, of those launched through their address */
};
extern emu_counts emu_count;
extern std::string emu_case; /* for messages */

#endif
