# mpi.mk - the example of the MPI library, on 1 to 8 ranks. src/mpi/mpi.mk includes this file.

MPI_EXAMPLES = $(MPI_KINDS:%=$(BUILD)/%/examples/mpi/chain)

.PHONY: examples-mpi
examples-mpi: $(MPI_EXAMPLES)  ## a chain of masses whose energy keeps its bits on 1 to 8 ranks, and with MPI_Allreduce does not
	@for m in $(firstword $(MPI_KINDS)); do echo "ranks   MPI_Allreduce, middle mass     samesum, middle mass"; \
		for n in 1 2 3 4 5 6 7 8; do tests/mpi/launch.sh $$m $$n $(BUILD)/$$m/examples/mpi/chain || exit 1; done; done

define mpi_example_rules
$(BUILD)/$1/examples/mpi/chain: $(BUILD)/$1/examples/mpi/chain.o $(BUILD)/$1/libsamesum_mpi.a $(LIB_A)
	$$(call say,LD,$$@)
	$$(Q)$$(call mpicc_of,$1) $$(CFLAGS) $$(OMP) $$(LDFLAGS) -o $$@ $$^ -pthread $$(LDLIBS)
endef
$(foreach m,$(MPI_KINDS),$(eval $(call mpi_example_rules,$m)))
