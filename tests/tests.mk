# tests.mk - `make test` and its subsets. The top Makefile includes this file and gives BUILD, CC,
# CFLAGS, ALL_CFLAGS, OMP, LIB_A, LIB_SO, PROGRAM, LDLIBS, HAVE_MPFR and MPFR_LIB.
#
#     make test                                        the full lists
#     make test TESTS="reference states"               these suites alone
#     make BUILD=build-clang CC=clang CFLAGS=-O0 test-quick

TEST_OUT = $(BUILD)/tests
RUNNER = $(TEST_OUT)/runner
TESTS =

# The reference, and what makes its data.
REFERENCE = $(addprefix reference/,ref ref_derived ref_elements ref_extreme ref_half ref_natural ref_row ref_weighted) \
	tests/vectors/recipes
REFERENCE_OBJ = $(REFERENCE:%=$(BUILD)/%.o)
TEST_SUITES := $(wildcard tests/suite_*.c)
RUNNER_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(TEST_SUITES) tests/runner.c $(addprefix tests/,support.c truth.c cells.c elements.c grids.c rows.c) \
	$(REFERENCE:%=%.c) src/cuda/host_chunks.c reference/hard_cases.c reference/small_float.c \
	$(if $(HAVE_MPFR),reference/oracle.c))
CHILD_OBJ := $(BUILD)/tests/child.o
RUNNER_OBJ += $(patsubst %,$(BUILD)/tests/%.o,suites golden table)
# Debian's static libcheck needs subunit; others do not have it.
CHECK_LIBS = $(shell pkg-config --libs check 2>/dev/null || echo -lcheck -lsubunit -lrt)
# malloc() and its kin in the library and the runner go through tests/suite_allocation.c.
comma := ,
TEST_WRAP := $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc posix_memalign free)
TEST_PROGRAMS = $(RUNNER) $(TEST_OUT)/child $(BUILD)/vectors $(if $(HAVE_MPFR),$(addprefix $(TEST_OUT)/,check check_exact check_row))

# The host side of libsamesum_cuda on a device that the CPU plays (tests/stand_in/device.cpp).
STAND_IN = $(TEST_OUT)/stand_in/libsamesum_cuda.so
STAND_IN_SRC = $(wildcard src/cuda/host*.cu) src/cuda/status.cu tests/stand_in/device.cpp
STAND_IN_CXX := $(subst clang,clang++,$(subst gcc,g++,$(firstword $(CC))))
HAVE_CXX := $(shell echo 'int main() { delete new int; return 0; }' | $(STAND_IN_CXX) -x c++ - -o $(BUILD)/.cxx 2>/dev/null && echo yes)

# The suites that keep one core busy for as long as all others together: the two halves run side by side.
TEST_LONG = exact program table

.PHONY: test test-named test-first-half test-second-half test-quick test-short test-programs test-needs
test: $(if $(TESTS),test-named,test-first-half test-second-half)  ## all tests of this build (some minutes)
test-named: test-programs
	$(RUNNER) full $(TESTS)
test-first-half: test-programs
	$(RUNNER) full $(TEST_LONG:%=-%)
test-second-half: test-programs
	$(RUNNER) full $(TEST_LONG)
	$(if $(HAVE_MPFR),$(TEST_OUT)/check_exact 41)
	$(if $(HAVE_MPFR),$(TEST_OUT)/check_row)
test-quick: test-programs  ## a subset for other builds
	$(RUNNER) quick $(TESTS)
test-short: test-programs  ## a subset that is small enough for valgrind
	$(RUNNER) short $(TESTS)
test-programs: $(TEST_PROGRAMS) $(LIB_SO) $(PROGRAM) $(if $(HAVE_CXX),$(STAND_IN))

$(STAND_IN): $(STAND_IN_SRC) $(wildcard src/cuda/host*.cuh tests/stand_in/*.h) $(BUILD)/src/cuda/host_chunks.o $(LIB_A)
	@mkdir -p $(@D)
	$(call say,CXX,$@)
	$(Q)$(STAND_IN_CXX) $(CFLAGS) -std=c++17 -Wall -Wextra $(WERROR) -fPIC -fvisibility=hidden -Itests/stand_in -Iinclude -Isrc $(OMP) -shared \
		-Wl,--version-script=src/cuda/exports.map -o $@ -x c++ $(STAND_IN_SRC) -x none \
		$(BUILD)/src/cuda/host_chunks.o $(LIB_A) -pthread $(LDLIBS)

# Asked only when a test is wanted, so that the library builds without Check.
test-needs:
	@echo '#include <check.h>' | $(CC) -x c -E - >/dev/null 2>&1 || \
		{ echo "The tests need Check (libcheck): run ./setup"; exit 1; }
$(RUNNER_OBJ): | test-needs

$(BUILD)/tests/%.o: EXTRA = -D_GNU_SOURCE -DTEST_BUILD='"$(BUILD)"' $(if $(HAVE_MPFR),-DTEST_HAVE_MPFR)

$(RUNNER): $(RUNNER_OBJ) $(LIB_A)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(OMP) $(LDFLAGS) $(TEST_WRAP) -o $@ $(RUNNER_OBJ) $(LIB_A) \
		$(CHECK_LIBS) $(MPFR_LIB) -pthread $(LDLIBS)
$(TEST_OUT)/child: $(CHILD_OBJ) $(LIB_A)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(OMP) $(LDFLAGS) -o $@ $(CHILD_OBJ) $(LIB_A) -ldl -pthread $(LDLIBS)
$(BUILD)/vectors: $(BUILD)/reference/vectors.o $(REFERENCE_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(TEST_OUT)/check_exact: $(patsubst %,$(BUILD)/%.o,reference/check_exact reference/hard_cases reference/small_float \
	reference/oracle) $(REFERENCE_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(MPFR_LIB) $(LDLIBS)
$(TEST_OUT)/check: $(patsubst %,$(BUILD)/%.o,reference/check reference/oracle) $(REFERENCE_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(MPFR_LIB) $(LDLIBS)
$(TEST_OUT)/check_row: $(patsubst %.c,$(BUILD)/%.o,$(wildcard reference/check_row*.c)) \
	$(BUILD)/reference/oracle.o $(REFERENCE_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(MPFR_LIB) $(LDLIBS)
