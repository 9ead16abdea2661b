/* emulator.cc - see emulator.h. */
#include "emulator.h"

#include <csignal>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include <xmmintrin.h>

#ifndef __x86_64__
#error "emu_switch() is of x86-64"
#endif

dim3 threadIdx, blockIdx, blockDim, gridDim;
emu_device emu_current = {0, 2, 1};
emu_counts emu_count;
std::string emu_case;

enum { STACK = 512 << 10, MOST_THREADS = 1024, WARP = 32 };
enum { SHARED_BEGIN = 0x400, MOST_SHARED = 227 * 1024, UNASKED = 48 * 1024, MARGIN = 64 };

[[noreturn]] static void stop(const char *what)
{
    printf("STOPPED: %s: block %u thread %u: %s\n", what, blockIdx.x, threadIdx.x,
           emu_case.c_str());
    abort();
}

static unsigned random_below(unsigned n)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32) % n;
}

/* Threads. */

struct copy_16 {
    char *to;
    const char *from;
};
struct coroutine {
    void *sp;
    char *stack;
    bool done;
    unsigned exchanges;
    std::vector<copy_16> open;                   /* copies that no group has yet */
    std::vector<std::vector<copy_16>> committed; /* groups, the oldest first */
};
struct barrier {
    unsigned arrived, generation;
};
static coroutine threads[MOST_THREADS];
static void *scheduler_sp;
static const std::function<void()> *kernel_body;
static barrier warp_barrier[MOST_THREADS / WARP], block_barrier;
static uint64_t exchanged[MOST_THREADS / WARP][2][WARP];
static unsigned long progress; /* barriers reached, and threads done */

/* Saves what a call preserves, and goes on where the other stack was left. */
extern "C" void emu_switch(void **save, void *to);
asm(".text\n.globl emu_switch\nemu_switch:\n"
    "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");

static void to_scheduler(unsigned thread)
{
    emu_switch(&threads[thread].sp, scheduler_sp);
}

static void wait(barrier &b, unsigned threads_of_it)
{
    const unsigned generation = b.generation, me = threadIdx.x;
    progress++;
    if (++b.arrived == threads_of_it) {
        b.arrived = 0;
        b.generation++;
        return;
    }
    while (b.generation == generation)
        to_scheduler(me);
}

void emu_warp_barrier()
{
    wait(warp_barrier[threadIdx.x / WARP], WARP);
}

void emu_block_barrier()
{
    wait(block_barrier, blockDim.x);
}

const uint64_t *emu_exchange(uint64_t mine)
{
    uint64_t *all = exchanged[threadIdx.x / WARP][threads[threadIdx.x].exchanges++ % 2];
    all[threadIdx.x % WARP] = mine;
    emu_warp_barrier();
    return all;
}

static void thread_main()
{
    const unsigned me = threadIdx.x;
    (*kernel_body)();
    threads[me].done = true;
    progress++;
    for (;;)
        to_scheduler(me);
}

static void *pages(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED)
        stop("no memory");
    return p;
}

static void start_thread(coroutine &t)
{
    if (!t.stack)
        t.stack = (char *)pages(STACK);
    void **sp = (void **)(t.stack + STACK - 64);
    *--sp = NULL; /* what thread_main would return to: alignment */
    *--sp = (void *)thread_main;
    for (int i = 0; i < 6; i++) /* emu_switch's registers */
        *--sp = NULL;
    t.sp = sp;
    t.done = false;
    t.exchanges = 0;
    t.open.clear();
    t.committed.clear();
}

/* Shared memory, and what is copied to it. */

static char *room;
static unsigned room_bytes;

char *emu_shared()
{
    return room;
}

size_t emu_shared_address(const void *p)
{
    return (size_t)((const char *)p - room) + SHARED_BEGIN;
}

static char *shared_at(unsigned to, unsigned bytes)
{
    if (to < SHARED_BEGIN || to - SHARED_BEGIN + bytes > room_bytes)
        stop("a store outside of shared memory");
    return room + (to - SHARED_BEGIN);
}

/* Some copies arrive at once, the others when they are waited for. */
void emu_copy_16(unsigned to, const char *from)
{
    static const char foreign[16] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                     -1, -1, -1, -1, -1, -1, -1, -1};
    char *at = shared_at(to, 16);
    emu_count.copies++;
    if ((uintptr_t)from % 16 || to % 16)
        stop("a misaligned asynchronous copy");
    if (!emu_check(from, 16))
        from = foreign;
    if (random_below(4) == 0)
        memcpy(at, from, 16);
    else
        threads[threadIdx.x].open.push_back({at, from});
}

void emu_copy_byte(unsigned to, const char *from)
{
    char *at = shared_at(to, 1);
    emu_count.bytes_alone++;
    *at = emu_check(from, 1) ? *from : (char)0xff;
}

void emu_commit()
{
    coroutine &t = threads[threadIdx.x];
    t.committed.push_back(t.open);
    t.open.clear();
}

void emu_wait(int groups)
{
    coroutine &t = threads[threadIdx.x];
    while ((int)t.committed.size() > groups) {
        for (copy_16 &c : t.committed[0])
            memcpy(c.to, c.from, 16);
        t.committed.erase(t.committed.begin());
    }
}

/* The caller's memory. */

static std::vector<emu_buffer *> buffers;

void emu_register(emu_buffer *buffer)
{
    buffers.push_back(buffer);
}

void emu_forget(const emu_buffer *buffer)
{
    buffers.erase(std::find(buffers.begin(), buffers.end(), buffer));
}

void emu_forget_all()
{
    buffers.clear();
}

bool emu_check(const void *p, size_t bytes)
{
    const char *at = (const char *)p, *name = "no buffer";
    long offset = 0;
    for (emu_buffer *b : buffers) {
        if (at < b->low || at >= b->high)
            continue;
        const unsigned char *given = &b->given[at - b->low];
        if (at + bytes <= b->high && !memchr(given, 0, bytes))
            return true;
        name = b->name;
        offset = at - b->begin;
    }
    if (emu_count.foreign_reads++ < 40)
        printf("FOREIGN READ of %zu bytes, %s %+ld: block %u thread %u: %s\n", bytes, name, offset,
               blockIdx.x, threadIdx.x, emu_case.c_str());
    return false;
}

/* Launches. */

/* Lets the warp's threads go on, in both directions, until none comes any further. */
static void run_warp(unsigned warp, unsigned *left)
{
    const unsigned first = warp * WARP, n = std::min<unsigned>(WARP, blockDim.x - first);
    for (unsigned turns = WARP * 2 * (1 + random_below(3)); turns > 0; turns--) {
        const unsigned long before = progress;
        const bool backwards = random_below(2);
        for (unsigned i = 0; i < n; i++) {
            const unsigned thread = first + (backwards ? n - 1 - i : i);
            if (threads[thread].done)
                continue;
            threadIdx.x = thread;
            emu_switch(&scheduler_sp, threads[thread].sp);
            *left -= threads[thread].done;
        }
        if (progress == before)
            return;
    }
}

static void run_block()
{
    const unsigned warps = (blockDim.x + WARP - 1) / WARP;
    memset(room, 0xff, room_bytes + MARGIN);
    memset(warp_barrier, 0, sizeof warp_barrier);
    block_barrier = {};
    for (unsigned t = 0; t < blockDim.x; t++)
        start_thread(threads[t]);
    for (unsigned left = blockDim.x; left > 0;) {
        const unsigned long before = progress;
        const unsigned first = random_below(warps);
        for (unsigned i = 0; i < warps; i++)
            run_warp((first + i) % warps, &left);
        if (left > 0 && progress == before)
            stop("a barrier that not all threads reach");
    }
    for (const barrier &b : warp_barrier)
        if (b.arrived)
            stop("threads ended at a warp's barrier");
    for (unsigned i = 0; i < MARGIN; i++)
        if (room[room_bytes + i] != (char)0xff)
            stop("a store past the end of shared memory");
    emu_count.blocks++;
}

/* Stops what never ends: a launch that takes more than MOST_SECONDS of the processor. */
class watchdog
{
    enum { MOST_SECONDS = 60 };
    static void bark(int)
    {
        static const char told[] = "STOPPED: a kernel that does not end: ";
        write(STDOUT_FILENO, told, sizeof told - 1);
        write(STDOUT_FILENO, emu_case.data(), emu_case.size());
        write(STDOUT_FILENO, "\n", 1);
        _exit(1);
    }
    static void set(long seconds)
    {
        const itimerval timer = {{0, 0}, {seconds, 0}};
        setitimer(ITIMER_VIRTUAL, &timer, NULL);
    }

  public:
    watchdog()
    {
        signal(SIGVTALRM, bark);
        set(MOST_SECONDS);
    }
    ~watchdog()
    {
        set(0);
    }
};

/* A device has an environment of its own. */
struct device_environment {
    const unsigned caller = _mm_getcsr();
    device_environment()
    {
        _mm_setcsr(0x1f80);
    }
    ~device_environment()
    {
        _mm_setcsr(caller);
    }
};

void emu_launch(unsigned grid, unsigned block, unsigned shared, const std::function<void()> &kernel)
{
    static char *const memory = (char *)pages(1 << 20);
    if (grid == 0 || grid > 0x7fffffff || block == 0 || block > MOST_THREADS ||
        shared > MOST_SHARED)
        stop("a launch that CUDA refuses");
    device_environment environment;
    watchdog while_it_runs;
    emu_count.kernels++;
    gridDim.x = grid;
    blockDim.x = block;
    kernel_body = &kernel;
    room = memory + 256 * random_below(4);
    room_bytes = shared;
    const uint64_t start = random_below(grid);
    const bool backwards = random_below(2);
    for (unsigned i = 0; i < grid; i++) {
        blockIdx.x = (unsigned)((start + (backwards ? grid - i : i)) % grid);
        run_block();
    }
}

static std::map<const void *, int> allowed;

/* A limit that has been set stays: another thread may be about to launch under it. */
cudaError_t emu_allow(const void *kernel, int shared)
{
    int &limit = allowed[kernel];
    if (limit > 0 && shared != limit)
        stop("a kernel's limit of shared memory that changes");
    limit = shared;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t)
{
    if (shared > UNASKED && shared > (size_t)allowed[kernel])
        stop("more shared memory than the kernel was allowed");
    emu_count.launched.insert(kernel);
    emu_launch(grid.x, block.x, (unsigned)shared,
               [&] { ((void (*)(const void *))kernel)(arguments[0]); });
    return cudaSuccess;
}

/* What the library asks of the runtime. */

int emu_blocks_each()
{
    return emu_current.blocks_each;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = emu_current.number;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, int, int)
{
    *value = emu_current.processors;
    return cudaSuccess;
}

bool (*emu_is_device_memory)(const void *p);

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p)
{
    const bool known = emu_is_device_memory ? emu_is_device_memory(p) : p != NULL;
    attributes->type = known ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    attributes->devicePointer = (void *)p;
    return cudaSuccess;
}

cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t)
{
    memset(p, value, bytes);
    return cudaSuccess;
}
