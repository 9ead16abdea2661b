# The benchmark on a CUDA device: `make cuda-bench` builds $(BUILD)/cuda/bench_cuda, which holds all but
# cuBLAS. Options: build/cuda/bench_cuda --help.
# CCCL: the include folder of a CCCL that has gpu_to_gpu (CUB 3.1 or newer; in PyPI's nvidia-cuda-cccl, unpacked,
# nvidia/cu13/include/cccl). With it libcub_ordered.so is built beside the program; without it, that row is left out.
CCCL ?=

CUDA_BENCH = $(BUILD)/cuda/bench_cuda
CUDA_BENCH_ORDERED = $(BUILD)/cuda/libcub_ordered.so
CUDA_BENCH_SRC = $(filter-out bench/cuda/cub_ordered.cu,$(wildcard bench/cuda/*.cu))
CUDA_BENCH_OBJ = $(CUDA_BENCH_SRC:%.cu=$(BUILD)/%.o)
CUDA_BENCH_FLAGS = $(CUDA_FLAGS) -std=c++17 -Iinclude -Ibench/cuda $(CUDA_MACHINE) -Xcompiler -Wall,-Wextra \
	$(if $(WERROR),-Werror all-warnings) -MD -MP

# Static where there is such a one, so that the program runs on machines without a compiler.
CUDA_BENCH_OMP = $(if $(OMP),$(or $(filter /%,$(shell $(CC) -print-file-name=libgomp.a)),$(patsubst %,-Xcompiler %,$(OMP))))

.PHONY: cuda-bench
ifeq ($(HAVE_NVCC),)
cuda-bench: cuda
else
cuda-bench: $(CUDA_BENCH) $(if $(CCCL),$(CUDA_BENCH_ORDERED))  ## speed on a CUDA device: builds build/cuda/bench_cuda (CCCL=include folder)
endif

$(BUILD)/bench/cuda/%.o: bench/cuda/%.cu bench/cuda/cuda.mk
	@mkdir -p $(@D)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) $(CUDA_BENCH_FLAGS) -c $< -o $@

# From objects: the CUDA library calls parts of the CPU library that its archive does not show.
$(CUDA_BENCH): $(CUDA_BENCH_OBJ) $(CUDA_OBJ) $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(NVCC) $(CUDA_MACHINE) -cudart static -Xcompiler -static-libstdc++,-static-libgcc -o $@ $^ $(CUDA_BENCH_OMP) -ldl $(LDLIBS)

# Hidden but for its calls, so that nothing of its CCCL meets the toolkit's.
$(CUDA_BENCH_ORDERED): bench/cuda/cub_ordered.cu bench/cuda/cub_ordered.h bench/cuda/cuda.mk
	@mkdir -p $(@D)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) $(filter-out -MD -MP,$(CUDA_BENCH_FLAGS)) -I$(CCCL) -shared -cudart static \
		-Xcompiler -fPIC,-fvisibility=hidden,-fno-gnu-unique,-static-libstdc++,-static-libgcc -Xlinker --exclude-libs,ALL -o $@ $<
