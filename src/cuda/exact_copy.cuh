/* Copies from device memory to shared memory that a thread starts and waits for later. Of
 * 16, 8 or 4 bytes. */
#ifndef SS_CUDA_EXACT_COPY_CUH
#define SS_CUDA_EXACT_COPY_CUH

static __device__ __forceinline__ void ss_copy_16(char *to, const char *from)
{
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(__cvta_generic_to_global(from))
        : "memory");
}
static __device__ __forceinline__ void ss_copy_8(char *to, const char *from)
{
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(__cvta_generic_to_global(from))
        : "memory");
}
static __device__ __forceinline__ void ss_copy_4(char *to, const char *from)
{
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(__cvta_generic_to_global(from))
        : "memory");
}

/* Closes a group of copies, which may be empty. */
static __device__ __forceinline__ void ss_copy_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}
/* Waits until at most the N newest groups are under way. */
template <int N> static __device__ __forceinline__ void ss_copy_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

#endif
