#include "sections.h"

#include "peer_read.h"

void choose_read(Bench &bench, bool print)
{
    Contest contest(Before::Flush);
    const void *x = bench.data.x;
    for (int i = 0; i < read_variants(); i++)
        contest.add(read_name(i), [=](cudaStream_t stream) { read_launch(i, x, GIB, stream); });
    contest.run(bench.rounds, bench.stream);
    bench.read = 0;
    if (print)
        print_head("pure read, 1 GiB (vectors a thread and tile, blocks)", "");
    for (int i = 0; i < read_variants(); i++) {
        if (print)
            print_row(contest, read_name(i), "", double(GIB));
        if (contest.seconds(read_name(i)) < contest.seconds(read_name(bench.read)))
            bench.read = i;
    }
}

void section_read(const Bench &bench)
{
    Contest contest(Before::Flush);
    add_read(contest, bench, 4 * GIB);
    contest.run(bench.rounds, bench.stream);
    print_head(std::string("pure read, 4 GiB (") + read_name(bench.read) + ")", "");
    print_row(contest, READ, "", 4.0 * double(GIB));
}
