# cuda.mk - `make cuda-examples` builds each examples/cuda/*.cu, `make run-cuda-examples` runs them; the tests of
# samesum_device.cuh, which the examples are programs for. src/cuda/cuda.mk includes this file.
#
# They are compiled as a user's program would be, with nvcc's own choices (contraction too), for the devices that
# the library is built for. Nothing but the C library and the driver is taken from the machine that runs them.

CUDA_EXAMPLES := $(patsubst examples/%.cu,$(BUILD)/%,$(wildcard examples/cuda/*.cu))
CUDA_DEVICE_TEST = $(BUILD)/cuda/device_sums
CUDA_EXAMPLE_FLAGS = $(CUDA_FLAGS) -std=c++17 -Iinclude $(CUDA_MACHINE) -MD -MP \
	-Xcompiler -Wall,-Wextra,-ffp-contract=off $(if $(WERROR),-Werror all-warnings)
CUDA_EXAMPLE_OMP = $(if $(OMP),$(or $(filter /%,$(shell $(CC) -print-file-name=libgomp.a)),$(patsubst %,-Xcompiler %,$(OMP))))

.PHONY: cuda-examples run-cuda-examples cuda-device-test test-cuda-device test-cuda-flags
ifeq ($(HAVE_NVCC),)
cuda-examples run-cuda-examples cuda-device-test test-cuda-device:
	@echo "SKIPPED: no nvcc: the examples and tests of samesum_device.cuh were not built" >&2
else
cuda-examples: $(CUDA_EXAMPLES)  ## the examples of samesum_device.cuh: build/cuda/fuse, fast_math, custom
run-cuda-examples: $(CUDA_EXAMPLES)  ## run them (exit status 77: there is no device)
	@for e in $(CUDA_EXAMPLES); do echo "$$e:"; $$e || exit; done
cuda-device-test: $(CUDA_DEVICE_TEST)
test-cuda-device: $(CUDA_DEVICE_TEST)  ## samesum_device.cuh on a device, against the CPU
	$(CUDA_DEVICE_TEST)
endif

$(BUILD)/cuda/fast_math.o: CUDA_EXAMPLE_FLAGS += -use_fast_math
$(CUDA_EXAMPLES:%=%.o): $(BUILD)/cuda/%.o: examples/cuda/%.cu examples/cuda/cuda.mk
	@mkdir -p $(@D)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) $(CUDA_EXAMPLE_FLAGS) -c $< -o $@
$(CUDA_EXAMPLES) $(CUDA_DEVICE_TEST): %: %.o $(LIB_A)
	$(call say,LD,$@)
	$(Q)$(NVCC) $(CUDA_MACHINE) -cudart static -Xcompiler -static-libgcc,-static-libstdc++ -o $@ $^ $(CUDA_EXAMPLE_OMP) \
		-ldl $(LDLIBS)

$(CUDA_DEVICE_TEST).o: tests/cuda/device_sums.cu examples/cuda/example.cuh examples/cuda/cuda.mk
	@mkdir -p $(@D)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) $(CUDA_EXAMPLE_FLAGS) -Iexamples/cuda -c $< -o $@

test-cuda-flags:  ## the sums of samesum_device.cuh are the same instructions under any flags of nvcc
	NVCC='$(NVCC)' CUDA_ARCH='$(firstword $(CUDA_ARCH))' tests/cuda/device_flags.sh
