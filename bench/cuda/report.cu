#include "report.h"

#include <cstdio>
#include <vector>
#include "torch_file.h"

namespace
{
struct Goal {
    std::string text;
    double must;
    bool has_figure;
    Spread figure;
    bool paired;
};
std::vector<Goal> goals;

bool met(const Goal &g)
{
    return g.figure.median >= g.must;
}

void print_goal(const Goal &g)
{
    std::printf("%-34s %4.2f  ", g.text.c_str(), g.must);
    if (!g.has_figure) {
        std::printf("not measured\n");
        return;
    }
    std::printf("%5.3f ", g.figure.median);
    if (g.paired)
        std::printf("[%.3f %.3f] ", g.figure.min, g.figure.max);
    std::printf("%s\n", met(g) ? "met" : "NOT MET");
}
} // namespace

void print_head(const std::string &title, const std::string &base)
{
    std::printf("\n%s%s%s\n", title.c_str(), base.empty() ? "" : ", to ", base.c_str());
}

void print_row(const Contest &contest, const std::string &name, const std::string &base,
               double bytes)
{
    double seconds = contest.seconds(name);
    std::printf(" %-13s%7.1f %5.0f", name.c_str(), 1e6 * seconds, 1e-9 * bytes / seconds);
    if (base != name && contest.has(base)) {
        Spread r = contest.ratio(name, base);
        std::printf(" %.3f [%.3f %.3f]", r.median, r.min, r.max);
    }
    std::printf("\n");
    std::fflush(stdout);
}

void print_part(const Contest &contest, const std::string &name, const std::string &base,
                double value)
{
    std::printf(" %s %.*f", name.c_str(), value < 1000 ? 2 : 0, value);
    if (base != name && contest.has(base)) {
        Spread r = contest.ratio(name, base);
        std::printf(" %.3f [%.2f %.2f]", r.median, r.min, r.max);
    }
}

void print_missing(const std::string &name, const std::string &why)
{
    std::printf(" %-13s%s\n", name.c_str(), why.c_str());
}

void goal(const std::string &text, double must, const Contest &contest, const std::string &name,
          const std::string &base)
{
    if (contest.has(name) && contest.has(base))
        goals.push_back({text, must, true, contest.ratio(name, base), true});
    else
        goals.push_back({text, must, false, {0, 0, 0}, false});
}

void print_torch(const std::string &torch_case, double must, const Contest &contest,
                 const std::string &name, double bytes)
{
    double torch = torch_speed(torch_case), ratio = 0;
    bool has_figure = torch > 0 && contest.has(name);
    if (has_figure) {
        ratio = 1e-9 * bytes / contest.seconds(name) / torch;
        std::printf(" %s/torch %.3f", name.c_str(), ratio);
    }
    if (must > 0)
        goals.push_back(
            {torch_case + " " + name + " / torch", must, has_figure, {ratio, ratio, ratio}, false});
}

bool print_goals()
{
    bool all = true;
    if (!goals.empty())
        std::printf("\n%-34s %4s  figure\n", "goal", "must");
    for (const Goal &g : goals) {
        print_goal(g);
        all = all && g.has_figure && met(g);
    }
    return all;
}
