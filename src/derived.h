/* Results that take more than one reduction, and those that take one (SPEC.md, sections 4 and 6).
 */
#ifndef SS_DERIVED_H
#define SS_DERIVED_H

#include "plan.h"

/* Computes what is wanted of the data, which have been checked; *threads receives how many worked.
 * The caller has entered its floating-point environment. */
samesum_status ss_derive(const ss_backend *backend, const samesum_data *data,
                         const samesum_want *want, void *result, int *threads);

/* SPEC.md 6: fl(sum / n) of a sum that stands in *result; SAMESUM_NO_VALUE and NaN for n = 0. */
samesum_status ss_mean_of_sum(int wide, uint64_t n, void *result);

#endif
