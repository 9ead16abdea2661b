/* suite_statistics.c - nrm2, mean, var and std at all levels. */
#include "suites.h"
#include "truth.h"
Suite *suite_statistics(void)
{
    TCase *tests;
    Suite *suite = new_suite("statistics", &tests);
    return suite;
}
