# mpi.mk - what a reduction over ranks costs. src/mpi/mpi.mk includes this file.
#
#     make bench-mpi MPI_KIND=openmpi                latencies on this machine with 1 to 8 ranks (MPI_RANKS)
#     make bench-mpi-scaling                         up to 100,000 simulated ranks
#     make bench-mpi-scaling SCALING_ARGS='1.5 25'   microseconds of latency, GB/s
SCALING = $(BUILD)/bench/mpi/scaling
SCALING_ARGS =
LATENCY = $(MPI_KINDS:%=$(BUILD)/%/latency)
LATENCY_ARGS =

.PHONY: bench-mpi bench-mpi-scaling
bench-mpi: $(LATENCY)  ## what reductions over ranks cost, beside MPI_Allreduce of as many doubles
	@for m in $(MPI_KINDS); do for n in $(MPI_RANKS); do echo "$$m:"; \
		tests/mpi/launch.sh $$m $$n $(BUILD)/$$m/latency $(LATENCY_ARGS) || exit 1; done; done
bench-mpi-scaling: $(SCALING)  ## reductions over up to 100,000 simulated ranks: messages, bits, time by a model
	$(SCALING) $(SCALING_ARGS)

$(SCALING): $(BUILD)/bench/mpi/scaling.o $(BUILD)/tests/mpi/simulation.o $(BUILD)/tests/vectors/recipes.o $(EXCHANGE_OBJ) $(LIB_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(OMP) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/bench/mpi/scaling.o: EXTRA = -D_GNU_SOURCE -Itests/mpi

define latency_rules
$(BUILD)/$1/latency: $(BUILD)/$1/bench/mpi/latency.o $(BUILD)/$1/libsamesum_mpi.a $(LIB_A)
	$$(call say,LD,$$@)
	$$(Q)$$(call mpicc_of,$1) $$(CFLAGS) $$(OMP) $$(LDFLAGS) -o $$@ $$^ -pthread $$(LDLIBS)
endef
$(foreach m,$(MPI_KINDS),$(eval $(call latency_rules,$m)))
