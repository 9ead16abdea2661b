/* chain.c - masses on a line with springs that are not quite linear (Fermi, Pasta, Ulam and
 * Tsingou's chain), spread over the ranks, and a thermostat: each step scales all velocities so
 * that the chain's energy goes back to what it was. So the global sum acts on every mass, and an
 * error in its last bit grows.
 *
 *     mpirun -n 4 chain
 *
 * The chain is run twice: with the sum of MPI_Allreduce, which depends on how many ranks there are,
 * and with samesum's, which does not. Everything else is the same on any number of ranks: a mass's
 * next place depends on those of its neighbours. A line says the ranks, then of both runs the
 * energy in the end and where the middle mass is. */
#include <samesum_mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MASSES = 1000, STEPS = 10000, MOST = MASSES + 2 };

static int rank, ranks, first, count; /* this rank's masses */
static double place[MOST], speed[MOST],
    energy[MOST]; /* of these at 1..count; neighbours at 0, count + 1 */

typedef double global_sum(const double *x, int n);

static double by_mpi(const double *x, int n)
{
    double local = 0, global;
    for (int i = 0; i < n; i++)
        local += x[i];
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return global;
}

static double by_samesum(const double *x, int n)
{
    double global;
    if (samesum_mpi_sum_f64(x, (size_t)n, SAMESUM_COMPENSATED, &global, MPI_COMM_WORLD) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return global;
}

/* The neighbours' masses; the chain's ends are held. */
static void exchange_ends(void)
{
    const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int right = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    place[0] = place[count + 1] = 0;
    MPI_Sendrecv(&place[1], 1, MPI_DOUBLE, left, 0, &place[count + 1], 1, MPI_DOUBLE, right, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&place[count], 1, MPI_DOUBLE, right, 1, &place[0], 1, MPI_DOUBLE, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* What a spring that is longer by d than at rest pulls with, and holds. */
static double pull(double d)
{
    return d + d * d * d;
}
static double held(double d)
{
    return 0.5 * d * d + 0.25 * d * d * d * d;
}

/* The energy of each mass and of the spring on its right, and of the whole chain. */
static double total(global_sum *sum)
{
    exchange_ends();
    for (int i = 1; i <= count; i++)
        energy[i] = 0.5 * speed[i] * speed[i] + held(place[i + 1] - place[i]);
    return sum(energy + 1, count);
}

static void step(double seconds)
{
    exchange_ends();
    for (int i = 1; i <= count; i++)
        speed[i] += seconds * (pull(place[i + 1] - place[i]) - pull(place[i] - place[i - 1]));
    for (int i = 1; i <= count; i++)
        place[i] += seconds * speed[i];
}

/* Returns the energy in the end; *middle becomes the place of the middle mass. */
static double run(global_sum *sum, double *middle)
{
    for (int i = 1; i <= count; i++) {
        place[i] = ((first + i) * 37 % 101 - 50) * 0.02;
        speed[i] = ((first + i) * 53 % 89 - 44) * 0.02;
    }
    const double wanted = total(sum);
    for (int s = 0; s < STEPS; s++) {
        step(0.05);
        const double scale = 1 + 0.01 * (wanted / total(sum) - 1);
        for (int i = 1; i <= count; i++)
            speed[i] *= scale;
    }
    const int at = MASSES / 2 - first;
    const double own = at >= 1 && at <= count ? place[at] : 0;
    MPI_Allreduce(&own, middle, 1, MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD); /* one of them, and zeros */
    return total(sum);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    first = MASSES * rank / ranks;
    count = MASSES * (rank + 1) / ranks - first;
    double mpi_middle, our_middle;
    const double mpi_energy = run(by_mpi, &mpi_middle);
    const double our_energy = run(by_samesum, &our_middle);
    if (rank == 0)
        printf("%5d   %.13f %+.6f   %.13f %+.6f\n", ranks, mpi_energy, mpi_middle, our_energy,
               our_middle);
    MPI_Finalize();
    return 0;
}
