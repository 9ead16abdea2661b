# mpi.mk - the tests of the MPI library. src/mpi/mpi.mk includes this file.
#
#     make test-mpi                                     under every MPI library that there is
#     make test-mpi MPI_KIND=mpich MPI_RANKS='3 8'           one of them, with so many ranks
#     make test-mpi MPI_RANKS=4 MPI_TEST_ARGS='full table'
#
# Variables: MPI_RANKS, MPI_TEST_ARGS for the program.
MPI_RANKS = 1 2 3 4 5 8
MPI_TEST_ARGS =
MPI_TEST = $(MPI_KINDS:%=$(BUILD)/%/samesum_mpi_test)
MPI_TEST_SRC := $(filter-out %/simulation.c %/memory.c,$(wildcard tests/mpi/*.c))
MPI_MEMORY = $(BUILD)/tests/mpi/memory
# What the tests share with those of the CPU; these files know no MPI.
MPI_TEST_SHARED := $(patsubst %.c,$(BUILD)/%.o,$(addprefix tests/,suites.c support.c cuts.c cells.c elements.c grids.c rows.c golden.c table.c \
	vectors/recipes.c) $(wildcard reference/ref*.c))

.PHONY: test-mpi
ifeq ($(MPI_KINDS),)
test-mpi:  ## the tests of the MPI library, under Open MPI and MPICH
	@echo "SKIPPED: no mpicc: the MPI library was not tested (./setup --mpi installs Open MPI and MPICH)" >&2
else
test-mpi: mpi $(MPI_TEST) $(PROGRAM) $(SCALING) $(MPI_MEMORY)  ## the tests of the MPI library, under Open MPI and MPICH
	BUILD='$(BUILD)' MPI_KINDS='$(MPI_KINDS)' MPI_RANKS='$(MPI_RANKS)' tests/mpi/run.sh $(MPI_TEST_ARGS)
endif

$(MPI_MEMORY): $(BUILD)/tests/mpi/memory.o $(BUILD)/tests/mpi/simulation.o $(EXCHANGE_OBJ) $(LIB_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(OMP) $(LDFLAGS) $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc) -o $@ $^ $(LDLIBS)

define mpi_test_rules
$(MPI_TEST_SRC:%.c=$(BUILD)/$1/%.o): EXTRA = -D_GNU_SOURCE
$(MPI_TEST_SRC:%.c=$(BUILD)/$1/%.o): | test-needs
$(BUILD)/$1/samesum_mpi_test: $(MPI_TEST_SRC:%.c=$(BUILD)/$1/%.o) $(MPI_TEST_SHARED) $(BUILD)/$1/libsamesum_mpi.a $(LIB_A)
	$$(call say,LD,$$@)
	$$(Q)$$(call mpicc_of,$1) $$(CFLAGS) $$(OMP) $$(LDFLAGS) -o $$@ $$^ $$(CHECK_LIBS) -pthread $$(LDLIBS)
endef
$(foreach m,$(MPI_KINDS),$(eval $(call mpi_test_rules,$m)))
