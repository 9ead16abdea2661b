/* Rows and columns of matrices and half types, beside torch; min, var and masks. */
#include "sections.h"

#include <cstdio>

namespace
{
const samesum_level both_levels[] = {SAMESUM_TREE, SAMESUM_COMPENSATED};

const char *type_name(samesum_type type)
{
    static const char *const names[] = {"f64", "f32", "f32_wide", "f16", "bf16"};
    return names[type];
}

Job job_of(const Bench &bench, samesum_type type, size_t rows, size_t columns, int axis)
{
    Job job;
    job.type = type;
    job.x = bench.data.x;
    job.shape[0] = rows;
    job.shape[1] = columns;
    job.axis = axis;
    job.results = bench.data.results;
    return job;
}

/* One line: 1 GiB at levels tree and compensated, to the read, and to torch. must: for tree /
 * torch; 0: none. */
void one_case(const Bench &bench, const std::string &name, Job job, double must)
{
    Contest contest(Before::Flush);
    add_read(contest, bench, GIB);
    for (samesum_level level : both_levels) {
        job.level = level;
        add_job(contest, bench, level_name(level), job);
    }
    contest.run(bench.rounds, bench.stream);
    std::printf(" %-16s", name.c_str());
    for (samesum_level level : both_levels)
        print_part(contest, level_name(level), READ,
                   1e-9 * double(GIB) / contest.seconds(level_name(level)));
    for (samesum_level level : both_levels)
        print_torch(name, level == SAMESUM_TREE ? must : 0, contest, level_name(level),
                    double(GIB));
    std::printf("\n");
}

void head(const char *title)
{
    std::printf("\n%s, 1 GiB: GB/s, to read\n", title);
}

struct Other {
    const char *name;
    samesum_op op;
    samesum_level level;
    bool masked;
};
const Other others[] = {
    {"min", SAMESUM_MIN, SAMESUM_TREE, false},
    {"minmax", SAMESUM_MINMAX, SAMESUM_TREE, false},
    {"var, tree", SAMESUM_VAR, SAMESUM_TREE, false},
    {"var, exact", SAMESUM_VAR, SAMESUM_EXACT, false},
    {"masked, tree", SAMESUM_SUM, SAMESUM_TREE, true},
    {"masked, comp", SAMESUM_SUM, SAMESUM_COMPENSATED, true},
};
} // namespace

void section_rows(const Bench &bench)
{
    head("rows of a matrix (type, elements a row)");
    for (samesum_type type : {SAMESUM_F32, SAMESUM_F64}) {
        data_fill(bench.data.x, GIB, type);
        for (size_t length : {128, 1024, 16384, 131072, 1048576}) {
            size_t rows = GIB / samesum_element_size(type) / length;
            one_case(bench, std::string("rows ") + type_name(type) + " " + std::to_string(length),
                     job_of(bench, type, rows, length, 1), 1.0);
        }
    }
}

void section_columns(const Bench &bench)
{
    head("first axis of 16384 x 16384");
    data_fill(bench.data.x, GIB, SAMESUM_F32);
    one_case(bench, "columns f32", job_of(bench, SAMESUM_F32, 16384, 16384, 0), 0);
}

void section_halves(const Bench &bench)
{
    head("half types");
    for (samesum_type type : {SAMESUM_F16, SAMESUM_BF16}) {
        data_fill(bench.data.x, GIB, type);
        one_case(bench, std::string("sum ") + type_name(type),
                 job_of(bench, type, GIB / samesum_element_size(type), 0, 0), 1.0);
    }
}

void section_others(const Bench &bench)
{
    Contest contest(Before::Flush);
    data_fill(bench.data.x, GIB, SAMESUM_F64);
    print_head("f64, 1 GiB (var below exact reads it twice, masks add a byte an element)", READ);
    add_read(contest, bench, GIB);
    for (const Other &o : others) {
        Job job = job_of(bench, SAMESUM_F64, GIB / sizeof(double), 0, 0);
        job.op = o.op;
        job.level = o.level;
        job.mask = o.masked ? bench.data.mask : nullptr;
        add_job(contest, bench, o.name, job);
    }
    contest.run(bench.rounds, bench.stream);
    for (const Other &o : others) {
        double bytes = double(GIB) * (o.masked ? 1 + 1.0 / sizeof(double) : 1);
        print_row(contest, o.name, READ, bytes);
    }
}
