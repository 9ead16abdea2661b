# cuda.mk - the tests on a CUDA device. src/cuda/cuda.mk includes this file and gives HAVE_NVCC and CUDA_OBJ.
#
#     make test-cuda                          builds and runs them here
#     make test-cuda CUDA_TEST_ARGS='--suite table --seed 7'
#     make cuda-bundle                        build/cuda/bundle, which runs elsewhere: run.sh there says how
#
# Variables: CUDA_TEST_ARGS for the program.

CUDA_HOME = $(patsubst %/bin/,%,$(dir $(realpath $(HAVE_NVCC))))
CUDA_BUNDLE = $(BUILD)/cuda/bundle
CUDA_TEST = $(BUILD)/cuda/samesum_cuda_test
CUDA_TEST_ARGS =
CUDA_TEST_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/cuda/*.c reference/ref*.c) tests/vectors/recipes.c \
	$(addprefix tests/,suites.c support.c cells.c elements.c grids.c rows.c golden.c table.c))
# The libraries' objects: the tests call ss_cuda_tune(), which the shared library does not export. Nothing is taken from
# the machine where it runs, but for the C library and the driver.
CUDA_TEST_LIBS = $(CUDA_OBJ) $(LIB_OBJ) -L$(CUDA_HOME)/lib64 -L$(CUDA_HOME)/lib -l:libcudart_static.a
CUDA_TEST_STATIC = -no-pie -static-libgcc -static-libstdc++ -l:libcheck.a -l:libsubunit.a $(if $(OMP),-l:libgomp.a) -lrt -ldl \
	-pthread -lm

# tests/cuda/launches.c notes which kernels are launched.
CUDA_TEST_WRAP = $(patsubst %,-Wl$(comma)--wrap=%,__cudaRegisterFunction __cudaGetKernel cudaLaunchKernel)

.PHONY: test-cuda test-cuda-here cuda-bundle
ifeq ($(HAVE_NVCC),)
test-cuda:  ## the tests on a CUDA device
	@echo "SKIPPED: no nvcc: the tests on a CUDA device were not built" >&2
cuda-bundle:  ## those tests, to be carried to another machine: build/cuda/bundle/run.sh
	@echo "SKIPPED: no nvcc: the bundle was not built" >&2
else
test-cuda: $(CUDA_TEST)  ## the tests on a CUDA device
	$(CUDA_TEST) --out $(BUILD)/cuda $(CUDA_TEST_ARGS)
cuda-bundle: $(CUDA_TEST) $(CUDA_DEVICE_TEST) $(CUDA_EXAMPLES)  ## those tests, to be carried to another machine: build/cuda/bundle/run.sh
	@mkdir -p $(CUDA_BUNDLE)/programs
	$(Q)cp tests/vectors/golden.txt tests/cuda/run.sh $(CUDA_BUNDLE)
	$(Q)$(TOOLS)strip -o $(CUDA_BUNDLE)/samesum_cuda_test $(CUDA_TEST)
	$(Q)for p in $(CUDA_DEVICE_TEST) $(CUDA_EXAMPLES); do $(TOOLS)strip -o $(CUDA_BUNDLE)/programs/$${p##*/} $$p || exit 1; done
	$(Q)du -sh $(CUDA_BUNDLE)
endif

# What can be said without a device: that all of it builds, that flags change nothing, and what the program answers. The
# benchmark is built where there is CUB.
HAVE_CUB = $(shell echo '\#include <cub/cub.cuh>' | $(NVCC) -x cu -E - >/dev/null 2>&1 && echo yes)
test-cuda-here: test-cuda-flags $(PROGRAM) $(BUILD)/tests/child  ## the CUDA library builds, and what can be tested without a device
	$(if $(HAVE_NVCC),$(MAKE) cuda test-cuda cuda-examples cuda-device-test $(if $(HAVE_CUB),cuda-bench))
	$(if $(HAVE_NVCC),BUILD='$(BUILD)' CC='$(CC)' NVCC='$(NVCC)' \
		CUDA_ARCH='$(firstword $(CUDA_ARCH))' CUDA_HOME='$(CUDA_HOME)' tests/cuda/install.sh)
	SAMESUM=$(PROGRAM) sh tests/cli/cuda.sh
	$(if $(HAVE_NVCC),,@echo "**** SKIPPED: no nvcc: the CUDA library, its tests and examples were NOT BUILT" >&2)
	$(if $(HAVE_CUB),,@echo "**** SKIPPED: no CUB: the benchmark on a CUDA device was NOT BUILT" >&2)

$(BUILD)/tests/cuda/%.o: EXTRA = -D_GNU_SOURCE -isystem $(CUDA_HOME)/include
$(CUDA_TEST): $(CUDA_TEST_OBJ) $(CUDA_OBJ) $(LIB_OBJ)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(CFLAGS) $(LDFLAGS) $(CUDA_TEST_WRAP) -o $@ $(CUDA_TEST_OBJ) $(CUDA_TEST_LIBS) $(CUDA_TEST_STATIC)
