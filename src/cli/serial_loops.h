/* serial_loops.h - the loops of serial.h for one type T; serial.c includes it once a type.
 * Every operation is rounded as written: serial.c refuses -ffast-math, and the build says
 * -ffp-contract=off. */

T NAME(serial)(const T *x, size_t n)
{
    T s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

T NAME(reverse)(const T *x, size_t n)
{
    T s = 0;
    for (size_t i = n; i > 0; i--)
        s += x[i - 1];
    return s;
}

T NAME(pairwise)(const T *x, size_t n)
{
    if (n <= 128)
        return NAME(serial)(x, n);
    size_t half = n / 2;
    return NAME(pairwise)(x, half) + NAME(pairwise)(x + half, n - half);
}

T NAME(kahan)(const T *x, size_t n)
{
    T s = 0, c = 0;
    for (size_t i = 0; i < n; i++) {
        T y = x[i] - c;
        T t = s + y;
        c = (t - s) - y;
        s = t;
    }
    return s;
}

T NAME(neumaier)(const T *x, size_t n)
{
    T s = 0, c = 0;
    for (size_t i = 0; i < n; i++) {
        T t = s + x[i];
        if (ABS(s) >= ABS(x[i]))
            c += (s - t) + x[i];
        else
            c += (x[i] - t) + s;
        s = t;
    }
    return s + c;
}

T NAME(openmp)(const T *x, size_t n, int threads)
{
    T s = 0;
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for reduction(+ : s) num_threads(threads) schedule(static)
#endif
    for (size_t i = 0; i < n; i++)
        s += x[i];
    return s;
}
