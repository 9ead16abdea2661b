#include "truth.h"

#include <string.h>

static long by_mpfr;

long truths_by_mpfr(void)
{
    return by_mpfr;
}

#ifdef TEST_HAVE_MPFR
#include "../reference/oracle.h"

static struct oracle *oracle_of(const struct what *what, const void *x, const void *y)
{
    enum ref_op op = (enum ref_op)what->op;
    enum ref_type type = (enum ref_type)what->type;
    struct oracle *oracle = what->op <= SAMESUM_DOT
                                ? oracle_new(op, type, x, y, what->n)
                                : oracle_derive(op, type, what->ddof, x, what->n);
    if (oracle == NULL) {
        ck_abort_msg("MPFR was inexact, or memory is lacking");
    }
    return oracle;
}

uint64_t truth(const struct what *what, const void *x, const void *y)
{
    struct oracle *oracle = oracle_of(what, x, y);
    uint64_t result = 0;
    if (oracle_result(oracle, &result, NULL) != 0) {
        ck_abort_msg("MPFR does not prove its result");
    }
    oracle_free(oracle);
    by_mpfr++;
    return bits_of(what->type, &result);
}

double condition(const struct what *what, const void *x, const void *y)
{
    struct oracle *oracle = oracle_of(what, x, y);
    double value = oracle_condition(oracle);
    oracle_free(oracle);
    return value;
}
#else
uint64_t truth(const struct what *what, const void *x, const void *y)
{
    struct what exact = *what;
    exact.level = SAMESUM_EXACT;
    return reference(&exact, x, y);
}

double condition(const struct what *what, const void *x, const void *y)
{
    (void)what;
    (void)x;
    (void)y;
    return 0;
}
#endif
