# The MPI library: `make mpi`. Variables: MPI_KIND (openmpi, mpich or both; left out: those whose compiler wrapper mpicc.NAME is
# there; each goes to its own folder of BUILD), MPICC (the wrapper of any other MPI library, which goes to the folder mpi).
ifdef MPICC
MPI_KIND = mpi
else
MPI_KIND ?= $(or $(foreach m,openmpi mpich,$(if $(shell command -v mpicc.$m),$m)),$(if $(shell command -v mpicc),mpi))
endif
MPICC ?= mpicc
MPI_KINDS := $(MPI_KIND)
# The wrappers of Open MPI and MPICH take the compiler from the environment.
mpicc_of = OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(if $(filter mpi,$1),$(MPICC),mpicc.$1)

EXCHANGE_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/exchange/*.c))
MPI_SRC := $(wildcard src/mpi/*.c)
MPI_SO = $(MPI_KINDS:%=$(BUILD)/%/libsamesum_mpi.so)
MPI_A = $(MPI_KINDS:%=$(BUILD)/%/libsamesum_mpi.a)

ifeq ($(MPI_KINDS),)
mpi:  ## libsamesum_mpi: needs Open MPI or MPICH
	@echo "make mpi: there is no mpicc: ./setup --mpi installs Open MPI and MPICH, or say MPICC=/path/to/mpicc" >&2
	@exit 1
else
mpi: $(MPI_SO) $(MPI_A)  ## libsamesum_mpi: needs Open MPI or MPICH
endif

# It holds its own copy of the CPU library and exports none of it.
define mpi_rules
$(BUILD)/$1/%.o: %.c Makefile src/mpi/mpi.mk
	@mkdir -p $$(@D)
	$$(call say,MPICC,$$@)
	$$(Q)$$(call mpicc_of,$1) $$(ALL_CFLAGS) $$(EXTRA) -c $$< -o $$@
$(BUILD)/$1/libsamesum_mpi.so: $(MPI_SRC:%.c=$(BUILD)/$1/%.o) $(EXCHANGE_OBJ) $(LIB_OBJ) src/mpi/exports.map
	$$(call say,LD,$$@)
	$$(Q)$$(call mpicc_of,$1) $$(CFLAGS) $$(OMP) -shared -Wl,-soname,libsamesum_mpi.so.$$(SOVERSION),-z,defs \
		-Wl,--version-script=src/mpi/exports.map -o $$@ $$(filter %.o,$$^) $$(LDLIBS) -pthread
	$$(Q)ln -sf libsamesum_mpi.so $$@.$$(SOVERSION)
# For static linking, beside libsamesum.a.
$(BUILD)/$1/libsamesum_mpi.a: $(MPI_SRC:%.c=$(BUILD)/$1/%.o) $(EXCHANGE_OBJ) $(LIB_OBJ)
	$$(call say,AR,$$@)
	$$(Q)$$(LD) -r -o $(BUILD)/$1/samesum_mpi.o $$^
	$$(Q)$$(OBJCOPY) --wildcard --keep-global-symbol='samesum_mpi_*' $(BUILD)/$1/samesum_mpi.o
	$$(Q)rm -f $$@
	$$(Q)$$(AR) rcs $$@ $(BUILD)/$1/samesum_mpi.o
endef
$(foreach m,$(MPI_KINDS),$(eval $(call mpi_rules,$m)))

.PHONY: mpi
# What the tests run comes before them.
-include $(wildcard bench/mpi/mpi.mk tests/mpi/mpi.mk examples/mpi/mpi.mk)
