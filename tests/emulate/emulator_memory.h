/* emulator_memory.h - the devices, and what kernels may read. */
#ifndef TESTS_EMULATE_EMULATOR_MEMORY_H
#define TESTS_EMULATE_EMULATOR_MEMORY_H

/* The device that cudaGetDevice() names. */
struct emu_device {
    int number, processors, blocks_each;
};
extern emu_device emu_current;

/* What kernels may read: those bytes of [low, high) whose `given` is 1. begin, end: of the
 * caller's data in it, for messages. */
struct emu_buffer {
    const char *name;
    char *low, *high, *begin, *end;
    std::vector<unsigned char> given;
};
void emu_register(emu_buffer *buffer);
void emu_forget(const emu_buffer *buffer);
void emu_forget_all();

/* What cudaPointerGetAttributes() says; NULL: all but NULL is device memory. */
extern bool (*emu_is_device_memory)(const void *p);

#endif
