/* serial.h - the usual ways of summing that samesum is compared with, in the data's own type. */
#ifndef SAMESUM_CLI_SERIAL_H
#define SAMESUM_CLI_SERIAL_H

#include <stddef.h>

/* first to last; last to first */
double serial_f64(const double *x, size_t n);
float serial_f32(const float *x, size_t n);
double reverse_f64(const double *x, size_t n);
float reverse_f32(const float *x, size_t n);
/* halves, and halves of those, down to serial sums of at most 128 elements */
double pairwise_f64(const double *x, size_t n);
float pairwise_f32(const float *x, size_t n);
/* W. Kahan, 1965; A. Neumaier, 1974 */
double kahan_f64(const double *x, size_t n);
float kahan_f32(const float *x, size_t n);
double neumaier_f64(const double *x, size_t n);
float neumaier_f32(const float *x, size_t n);
/* omp parallel for reduction(+); without OpenMP the serial loop */
double openmp_f64(const double *x, size_t n, int threads);
float openmp_f32(const float *x, size_t n, int threads);

#endif
