# The NCCL library: `make nccl`. Variables: NCCL_HOME (where include/nccl.h is; needed while compiling, as NCCL itself is
# loaded when a program runs), and those of src/cuda/cuda.mk.
NCCL_HOME_GIVEN := $(NCCL_HOME)
NCCL_HOME ?= /usr/local
NCCL_CUDA_HOME = $(patsubst %/bin/,%,$(dir $(realpath $(HAVE_NVCC))))
NCCL_INC = -isystem $(NCCL_CUDA_HOME)/include $(if $(wildcard $(NCCL_HOME)/include/nccl.h),-isystem $(NCCL_HOME)/include)
# Not another NCCL's header, where one is asked for.
NCCL_IS_THERE = $(if $(NCCL_HOME_GIVEN),$(wildcard $(NCCL_HOME)/include/nccl.h),yes)
HAVE_NCCL := $(if $(HAVE_NVCC),$(if $(NCCL_IS_THERE),$(shell echo '\#include <nccl.h>' | $(CC) $(NCCL_INC) -x c -E - >/dev/null 2>&1 && echo yes)))

NCCL_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/nccl/*.c))
NCCL_SO = $(BUILD)/libsamesum_nccl.so
NCCL_A = $(BUILD)/libsamesum_nccl.a

ifeq ($(HAVE_NVCC),)
NCCL_REMEDY = there is no $(NVCC): install NVIDIA's CUDA toolkit (12.1 or newer), or say NVCC=/path/to/nvcc
else
NCCL_REMEDY = there is no $(if $(NCCL_HOME_GIVEN),$(NCCL_HOME)/include/)nccl.h: install NCCL (2.10 or newer) with its header, or say NCCL_HOME=/path to where include/nccl.h is
endif
ifeq ($(HAVE_NCCL),)
nccl:  ## libsamesum_nccl: needs nvcc and nccl.h, NCCL 2.10 or newer
	@echo "make nccl: $(NCCL_REMEDY)" >&2
	@exit 1
else
nccl: $(NCCL_SO) $(NCCL_A)  ## libsamesum_nccl: needs nvcc and nccl.h, NCCL 2.10 or newer
endif

$(BUILD)/src/nccl/%.o: EXTRA = -D_GNU_SOURCE $(NCCL_INC)
$(NCCL_OBJ): src/nccl/nccl.mk

# It holds its own copy of the CUDA library and of the CPU's, and exports none of them.
$(NCCL_SO): $(NCCL_OBJ) $(CUDA_OBJ) $(LIB_OBJ) src/nccl/exports.map
	$(call say,LD,$@)
	$(Q)$(NVCC) $(CUDA_MACHINE) -shared -cudart static -Xcompiler -fPIC \
		-Xlinker -soname,libsamesum_nccl.so.$(SOVERSION),-z,defs,--version-script=src/nccl/exports.map \
		$(patsubst %,-Xcompiler %,$(OMP)) -o $@ $(filter %.o,$^) -ldl $(LDLIBS)
	$(Q)ln -sf libsamesum_nccl.so $@.$(SOVERSION)
# For static linking, beside libsamesum.a; it needs cudart (static or not), and OpenMP where make found it.
$(NCCL_A): $(NCCL_OBJ) $(CUDA_OBJ) $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)$(LD) -r -o $(BUILD)/samesum_nccl.o $^
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='samesum_nccl_*' $(BUILD)/samesum_nccl.o
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(BUILD)/samesum_nccl.o

.PHONY: nccl
-include tests/nccl/nccl.mk
