#include "library.h"

#include "cuda.h"
#include "message.h"

#include <stdlib.h>

const char *level_name(samesum_level level)
{
    switch (level) {
    case SAMESUM_TREE:
        return "tree";
    case SAMESUM_KAHAN:
        return "kahan";
    case SAMESUM_COMPENSATED:
        return "compensated";
    case SAMESUM_EXACT:
        return "exact";
    }
    return NULL;
}

samesum_status library_check(samesum_status status, const struct samesum_want *want)
{
    if (status >= 0)
        return status;
    const char *forced = getenv("SAMESUM_BACKEND");
    bool by_environment = want->backend == SAMESUM_BACKEND_AUTO && forced;
    const char *name = by_environment ? forced : samesum_backend_name(want->backend);
    const char *source = by_environment ? "SAMESUM_BACKEND=" : "--backend ";
    if (status == SAMESUM_ERR_BACKEND)
        die_usage("%s%s: unknown backend; samesum info lists those of this machine", source, name);
    if (status == SAMESUM_ERR_UNAVAILABLE)
        die_bad("%s%s: this machine or this build cannot run it; samesum info lists the backends "
                "that it can",
                source, name ? name : "auto");
    if (status == SAMESUM_ERR_NOMEM && want->backend == SAMESUM_BACKEND_CUDA)
        die_bad("backend cuda: the device or this machine has too little memory for it: nrm2, var "
                "and std take a stream at --accuracy exact; without --backend cuda the CPU gives "
                "the same bits");
    die_bad("%s", samesum_strerror(status));
}

void library_need_backend(const struct samesum_want *want)
{
    if (want->backend == SAMESUM_BACKEND_CUDA)
        cuda_need();
    else
        library_check(samesum_backend_status(want->backend), want);
}

samesum_status library_reduce(const samesum_array *array, const int *axes, int axis_count,
                              const samesum_want *want, void *results, samesum_counts *counts)
{
    if (want->backend != SAMESUM_BACKEND_CUDA)
        return samesum_reduce_array(array, axes, axis_count, want, results, counts, NULL);
    return cuda_reduce(array, axes, axis_count, want, results, counts);
}

bool library_has_states(const struct samesum_want *want)
{
    const bool index = want->op == SAMESUM_ARGMIN || want->op == SAMESUM_ARGMAX;
    samesum_state *state = NULL;
    samesum_want real = *want; /* that there is a state does not depend on the elements */
    real.conj = 0;
    samesum_status status =
        index ? SAMESUM_ERR_TWO_PASSES : samesum_state_create(&state, &real, SAMESUM_F64, 0);
    samesum_state_destroy(state);
    if (status != SAMESUM_ERR_TWO_PASSES)
        library_check(status, want);
    return status != SAMESUM_ERR_TWO_PASSES;
}
