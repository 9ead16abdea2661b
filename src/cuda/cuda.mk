# The CUDA library: `make cuda`. Variables: NVCC, CUDA_FLAGS, CUDA_ARCH (the devices that machine code is made for),
# CUDA_PTX (the oldest device that the driver may translate for; empty: none but CUDA_ARCH).
NVCC ?= nvcc
CUDA_ARCH ?= 90
CUDA_PTX ?= 80
CUDA_FLAGS ?= -O3
HAVE_NVCC := $(shell command -v $(NVCC) 2>/dev/null)

CUDA_MACHINE = $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$(a),code=sm_$(a)) \
	$(foreach a,$(CUDA_PTX),-gencode arch=compute_$(a),code=compute_$(a))
ALL_NVCC_FLAGS = $(CUDA_FLAGS) -std=c++17 --fmad=false --ftz=false --prec-div=true --prec-sqrt=true -Iinclude -Isrc \
	$(CUDA_MACHINE) \
	-Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra $(if $(WERROR),-Werror all-warnings) -MD -MP
CUDA_SRC = $(wildcard src/cuda/*.cu)
CUDA_OBJ = $(CUDA_SRC:%.cu=$(BUILD)/%.o) $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/cuda/*.c))
CUDA_SO = $(BUILD)/libsamesum_cuda.so
CUDA_A = $(BUILD)/libsamesum_cuda.a

ifeq ($(HAVE_NVCC),)
cuda:  ## libsamesum_cuda: needs nvcc of the CUDA toolkit, 12.1 or newer
	@echo "make cuda: there is no $(NVCC): install NVIDIA's CUDA toolkit (12.1 or newer), or say NVCC=/path/to/nvcc" >&2
	@exit 1
else
cuda: $(CUDA_SO) $(CUDA_A)  ## libsamesum_cuda: needs nvcc of the CUDA toolkit, 12.1 or newer
endif

$(BUILD)/src/cuda/%.o: src/cuda/%.cu Makefile src/cuda/cuda.mk
	@mkdir -p $(@D)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) $(ALL_NVCC_FLAGS) -c $< -o $@

# It holds its own copy of the CPU library, for what runs on the host, and exports none of it.
$(CUDA_SO): $(CUDA_OBJ) $(LIB_OBJ) src/cuda/exports.map
	$(call say,LD,$@)
	$(Q)$(NVCC) $(CUDA_MACHINE) -shared -cudart static -Xcompiler -fPIC \
		-Xlinker -soname,libsamesum_cuda.so.$(SOVERSION),-z,defs,--version-script=src/cuda/exports.map \
		$(patsubst %,-Xcompiler %,$(OMP)) -o $@ $(CUDA_OBJ) $(LIB_OBJ) $(LDLIBS)
	$(Q)ln -sf libsamesum_cuda.so $(BUILD)/libsamesum_cuda.so.$(SOVERSION)
# For static linking, beside libsamesum.a; it needs cudart (static or not), and OpenMP where make found it.
$(CUDA_A): $(CUDA_OBJ) $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)$(LD) -r -o $(BUILD)/samesum_cuda.o $(CUDA_OBJ) $(LIB_OBJ)
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='samesum_cuda_*' $(BUILD)/samesum_cuda.o
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(BUILD)/samesum_cuda.o

.PHONY: cuda
-include examples/cuda/cuda.mk
-include $(wildcard tests/cuda/cuda.mk tests/emulate/emulate.mk bench/cuda/cuda.mk)
