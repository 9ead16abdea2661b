# bench.mk - `make bench` builds the benchmark and runs it. The top Makefile includes this file and
# gives BUILD, CC, CXX and CFLAGS; the library is $(BUILD)/libsamesum.a.
# Options of the benchmark: make bench BENCH_ARGS="--only l2"
#
# A peer that this machine lacks is left out. Each is tried with a tiny program, and only where a
# target of this file is asked for.

BENCH_DIR := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
BENCH_OUT := $(BUILD)/bench
BENCH_BIN := $(BENCH_OUT)/bench

.PHONY: bench
bench: $(BENCH_BIN)  ## speed: samesum and its peers as ratios to a pure read of the memory (BENCH_ARGS=--quick)
	$(BENCH_BIN) $(BENCH_ARGS)

ifneq ($(filter bench $(BENCH_BIN),$(MAKECMDGOALS)),)

BENCH_CLANG ?= clang

# $(call bench_try,COMPILER,LANGUAGE,LINES OF SOURCE,FLAGS): FLAGS where that compiles and links.
bench_include := \#include
bench_try = $(if $(shell printf '$3\n' | $1 -x $2 - -o /dev/null $4 2>/dev/null && echo yes),$4)
bench_main := int main(void) { return 0; }

BENCH_OPENMP := $(call bench_try,$(CC),c,$(bench_include) <omp.h>\n$(bench_main),-fopenmp)
BENCH_NATIVE := $(call bench_try,$(CC),c,$(bench_main),-march=native)
BENCH_OPENBLAS := $(call bench_try,$(CC),c,$(bench_include) <cblas.h>\nint main(void) { openblas_set_num_threads(1); return cblas_dsum(0\054 0\054 1) != 0; },-lopenblas)
BENCH_TBB := $(call bench_try,$(CXX),c++,$(bench_include) <tbb/parallel_reduce.h>\nint main() { return tbb::this_task_arena::max_concurrency() < 0; },-std=c++17 -ltbb)
# Worth its place only beside another compiler.
BENCH_LEAF := $(if $(findstring clang,$(shell $(CC) --version)),,$(call bench_try,$(BENCH_CLANG),c,$(bench_main),-march=native -fopenmp-simd))

BENCH_OBJ := $(patsubst %,$(BENCH_OUT)/%.o,apart arrays bench buffer cell check exact exact_data extremes \
	shapes small types numpy python read \
	peers sampling samesum_calls xsum \
	loops omp_simd $(if $(BENCH_LEAF),omp_simd_clang) $(if $(BENCH_TBB),peer_tbb) \
	$(if $(BENCH_OPENBLAS),peer_openblas))
BENCH_LIBS := $(if $(BENCH_TBB),-ltbb -lstdc++) $(BENCH_OPENBLAS) -lm -lpthread
BENCH_FLAGS := -std=c11 -D_GNU_SOURCE -Iinclude -I$(BENCH_DIR) -DBENCH_DIR='"$(BENCH_DIR)"' \
	$(if $(BENCH_LEAF),-DBENCH_CLANG) $(if $(BENCH_TBB),-DBENCH_TBB) \
	$(if $(BENCH_OPENBLAS),-DBENCH_OPENBLAS) -Wall -Wextra -MMD -MP
# After CFLAGS, so that these hold whatever was asked for.
BENCH_STRICT := -ffp-contract=off -O2
BENCH_FAST := -O3

$(BENCH_OUT):
	mkdir -p $@

$(BENCH_OUT)/%.o: $(BENCH_DIR)/%.c | $(BENCH_OUT)
	$(call say,CC,$@)
	$(Q)$(CC) $(CFLAGS) $(BENCH_FLAGS) $(BENCH_OPENMP) $(BENCH_STRICT) -c $< -o $@

$(BENCH_OUT)/omp_simd.o: $(BENCH_DIR)/omp_simd.c | $(BENCH_OUT)
	$(CC) $(CFLAGS) $(BENCH_FLAGS) $(or $(BENCH_OPENMP),-fopenmp-simd) $(BENCH_FAST) \
		$(BENCH_NATIVE) -c $< -o $@

$(BENCH_OUT)/omp_simd_clang.o: $(BENCH_DIR)/omp_simd.c | $(BENCH_OUT)
	$(call say,CC,$@)
	$(Q)$(BENCH_CLANG) $(BENCH_FLAGS) -DPEER_CLANG $(BENCH_FAST) $(BENCH_LEAF) -c $< -o $@

$(BENCH_OUT)/peer_tbb.o: $(BENCH_DIR)/peer_tbb.cpp | $(BENCH_OUT)
	$(CXX) -std=c++17 $(filter-out -std=% -D_GNU_SOURCE,$(BENCH_FLAGS)) $(BENCH_FAST) $(BENCH_NATIVE) \
		-fopenmp-simd -c $< -o $@

$(BENCH_BIN): $(BENCH_OBJ) $(BUILD)/libsamesum.a
	$(CC) $(CFLAGS) $(LDFLAGS) $(BENCH_OPENMP) $(BENCH_OBJ) $(BUILD)/libsamesum.a $(BENCH_LIBS) -o $@

-include $(BENCH_OBJ:.o=.d)
endif
