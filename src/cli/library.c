#include "library.h"

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

void library_check(samesum_status status, const struct samesum_want *want)
{
    if (status >= 0)
        return;
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
    if (status == SAMESUM_ERR_NOT_YET)
        die_bad("--accuracy %s is not supported yet in version %s; tree, kahan and compensated are",
                level_name(want->level), samesum_version());
    die_bad("%s", samesum_strerror(status));
}

bool library_has_level(samesum_level level)
{
    samesum_want want = {.op = SAMESUM_SUM, .level = level, .backend = SAMESUM_BACKEND_SCALAR};
    samesum_data nothing = {.type = SAMESUM_F64};
    double zero;
    return samesum_reduce(&nothing, &want, &zero, NULL) >= 0;
}
