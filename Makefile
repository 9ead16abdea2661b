# samesum: `make help` lists the targets.
#
# Variables: CC, CXX, CFLAGS (optimisation and warnings), BUILD (where everything is built), PREFIX, DESTDIR,
# OPENMP (no: build without threads), WERROR (empty: warnings are no errors).

# All cores, unless -j says otherwise.
JOBS := $(shell nproc)
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(JOBS)
endif

# V=1 shows the commands.
Q = $(if $(V),,@)
say = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo "  $1	$2")

CC = gcc
CFLAGS = -O2 -g
WERROR = -Werror
BUILD = build
PREFIX = /usr/local
OPENMP = auto

# The binary tools of a cross compiler: CC=aarch64-linux-gnu-gcc takes aarch64-linux-gnu-ld and so on.
TOOLS := $(patsubst %gcc,%,$(filter %-gcc,$(firstword $(CC))))
LD = $(TOOLS)ld
AR = $(TOOLS)ar
OBJCOPY = $(TOOLS)objcopy

VERSION := $(shell sed -n 's/.*SAMESUM_VERSION "\(.*\)"/\1/p' include/samesum.h)
SOVERSION := 0
ARCH := $(shell $(CC) -dumpmachine)

# Flags that bits depend on; they come last, so that no CFLAGS can undo them.
STRICT = -std=c11 -ffp-contract=off -fno-fast-math -fno-math-errno
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
INC = -Iinclude -Isrc -Itests
$(shell mkdir -p $(BUILD))
# OpenMP where the compiler can compile and link it (clang needs libomp).
ifeq ($(OPENMP),auto)
OMP := $(shell echo 'int omp_get_max_threads(void);int main(void){return omp_get_max_threads()<1;}' \
	| $(CC) -fopenmp -x c - -o $(BUILD)/.openmp 2>/dev/null && echo -fopenmp)
else
OMP :=
endif
ALL_CFLAGS = $(CFLAGS) $(WARN) $(INC) $(OMP) -fPIC -fvisibility=hidden -MMD -MP $(STRICT)
LDLIBS = -lm

KERNELS_x86_64 = avx2 avx512
KERNELS_aarch64 = neon
BACKENDS = scalar $(KERNELS_$(firstword $(subst -, ,$(ARCH))))
# The row kernels are loops over vectors of fixed width: -O3 unrolls them. Under -O0 they stay as they are. What
# is constant in a loop there vanishes by itself, and is not worth a second loop; tracking variables for a debugger takes
# half of the compiler's time.
KERNEL_O3 = $(if $(filter -O0,$(CFLAGS)),,-O3 $(call accepted,-fno-unswitch-loops) $(call accepted,-fno-var-tracking))
accepted = $(shell $(CC) $1 -Werror -x c -c /dev/null -o /dev/null 2>/dev/null && echo $1)

LIB_SRC = $(wildcard src/*.c) $(addprefix src/fixedtree/,columns.c lanes.c range.c segments.c threads.c trees.c) $(wildcard src/view/*.c) \
	$(addprefix src/exact/,accumulator.c finish.c feed.c natural.c reduce.c) \
	$(BACKENDS:%=src/fixedtree/kernels_%.c) $(BACKENDS:%=src/exact/slicers_%.c)
# The tests' truth, where MPFR is installed.
HAVE_MPFR := $(shell mkdir -p $(BUILD); echo '\#include <mpfr.h>' | $(CC) -x c -E - >/dev/null 2>&1 && echo 'int main(void){return 0;}' \
	| $(CC) -x c - -o $(BUILD)/.mpfr -lmpfr -lgmp 2>/dev/null && echo yes)
MPFR_LIB := $(if $(HAVE_MPFR),-lmpfr -lgmp)

LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/cli/*.c) tests/vectors/recipes.c)

# What `samesum selftest` holds.
VECTORS = tests/vectors/golden.txt

LIB_A = $(BUILD)/libsamesum.a
LIB_SO = $(BUILD)/libsamesum.so
PROGRAM = $(BUILD)/samesum

all: $(LIB_A) $(LIB_SO) $(PROGRAM)  ## the libraries and the program (the default)

run: $(PROGRAM)  ## the main job: audit a real field of sea level pressure
	$(PROGRAM) audit examples/data/coads_slp.npy

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(EXTRA) -c $< -o $@
$(BUILD)/src/fixedtree/kernels_avx2.o $(BUILD)/src/exact/slicers_avx2.o: EXTRA = -mavx2 -mfma -mf16c $(KERNEL_O3)
$(BUILD)/src/fixedtree/kernels_avx512.o $(BUILD)/src/exact/slicers_avx512.o: EXTRA = -mavx512f -mfma $(KERNEL_O3)
$(BUILD)/src/fixedtree/kernels_neon.o $(BUILD)/src/exact/slicers_neon.o: EXTRA = $(KERNEL_O3)
# Loops over the elements of a tile, and over lanes.
$(BUILD)/src/view/tile.o $(BUILD)/src/fixedtree/lanes.o: EXTRA = $(KERNEL_O3)
$(BUILD)/src/cli/%.o: EXTRA = -D_GNU_SOURCE -Itests/vectors -DSAMESUM_VECTORS='"$(VECTORS)"'

$(BUILD)/src/cli/vectors.o: $(VECTORS)

# One relocatable object whose hidden symbols are made local: only samesum_ symbols can be linked to.
$(LIB_A): $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)$(LD) -r -o $(BUILD)/samesum.o $(LIB_OBJ)
	$(Q)$(OBJCOPY) --localize-hidden $(BUILD)/samesum.o
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(BUILD)/samesum.o
$(LIB_SO): $(LIB_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(OMP) -shared -Wl,-soname,libsamesum.so.$(SOVERSION) -Wl,-z,defs -o $@ $(LIB_OBJ) $(LDLIBS)
	$(Q)ln -sf libsamesum.so $(BUILD)/libsamesum.so.$(SOVERSION)
$(PROGRAM): $(CLI_OBJ) $(LIB_A)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(OMP) $(LDFLAGS) -o $@ $(CLI_OBJ) $(LIB_A) $(LDLIBS)

# What clang-format would change; the generated and embedded parts have no C.
C_FILES = $(shell git ls-files '*.c' '*.h' '*.cpp' '*.cc' '*.cu' '*.cuh' 2>/dev/null)
format:  ## format the source
	clang-format -i $(C_FILES)
format-check:  ## fail where clang-format would change something
	clang-format --dry-run -Werror $(C_FILES)

help:  ## this list
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | awk -F'\t' '!seen[$$1]++' | expand -t 20

clean:  ## remove what was built
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.DELETE_ON_ERROR:
.PHONY: all run clean help format format-check test-all test-others
include bench/bench.mk install.mk examples/examples.mk src/cuda/cuda.mk src/mpi/mpi.mk src/nccl/nccl.mk
-include tests/tests.mk tests/extra.mk

# One after the other: each uses the whole machine.
test-others:  ## other compilers and options, sanitizers, AArch64, broken builds, installation
	@for t in disassembly mutants builds aarch64 install; do $(MAKE) test-$$t || exit 1; done
test-all:  ## everything that CI runs
	@for t in test format-check test-others test-mpi test-cuda-here test-nccl-here test-cuda-emulated test-nccl-emulated; do $(MAKE) $$t || exit 1; done
