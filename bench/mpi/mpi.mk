# mpi.mk - what a reduction over ranks costs. src/mpi/mpi.mk includes this file.
#
#     make bench-mpi                                 latencies on this machine, under every MPI library there is
#     make bench-mpi-scaling                         up to 100,000 simulated ranks
#     make bench-mpi-scaling SCALING_ARGS='1.5 25'   microseconds of latency, GB/s
SCALING = $(BUILD)/bench/mpi/scaling
SCALING_ARGS =

.PHONY: bench-mpi-scaling
bench-mpi-scaling: $(SCALING)  ## reductions over up to 100,000 simulated ranks: messages, bits, time by a model
	$(SCALING) $(SCALING_ARGS)

$(SCALING): $(BUILD)/bench/mpi/scaling.o $(BUILD)/tests/mpi/simulation.o $(BUILD)/tests/vectors/recipes.o $(EXCHANGE_OBJ) $(LIB_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(OMP) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/bench/mpi/scaling.o: EXTRA = -D_GNU_SOURCE -Itests/mpi
