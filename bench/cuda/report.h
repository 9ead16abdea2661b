/* What is printed: rows, and at the end the goals. */
#ifndef BENCH_CUDA_REPORT_H
#define BENCH_CUDA_REPORT_H

#include <string>
#include "harness.h"

/* base: "", or what ratios are to. */
void print_head(const std::string &title, const std::string &base);
/* bytes: that a sample reads. base: "", or the contestant that the ratio is to; where it is not
 * there, no ratio. */
void print_row(const Contest &contest, const std::string &name, const std::string &base,
               double bytes);
/* One contestant of a line that holds several: name, value, and the ratio to base. */
void print_part(const Contest &contest, const std::string &name, const std::string &base,
                double value);
void print_missing(const std::string &name, const std::string &why);

/* Notes a goal: speed of name over that of base, at least must. Where one of the two is not there,
 * it has no figure. */
void goal(const std::string &text, double must, const Contest &contest, const std::string &name,
          const std::string &base);
/* Prints the ratio of a contestant to torch's speed, where torch_rows.py measured the case. must 0:
 * no goal. */
void print_torch(const std::string &torch_case, double must, const Contest &contest,
                 const std::string &name, double bytes);
/* Prints them all; whether each has a figure and is met. */
bool print_goals();

#endif
