# emulate.mk - the CUDA sum kernels on the CPU, for where there is no device: translated to C++, compiled by g++ beside the
# CPU library, and compared with it. Needs g++ (12 or newer) and python3, x86-64 with AVX2 and FMA; no nvcc.
#
#     make test-cuda-emulated                              a minute of random sums
#     make test-cuda-emulated EMULATE_SECONDS=600 EMULATE_SEED=7
#     make test-cuda-emulated EMULATE_WAYS='rows dot'      only those; build/emulate/test names them all
#
# No substitute for a device: emulator.h says what it does not show.

EMULATE = $(BUILD)/emulate
EMULATE_SECONDS = 60
EMULATE_SEED = 1
EMULATE_WAYS =
# All but level exact, host data and status.cu: those are in stand_in.cc or not reached.
EMULATE_CU = api passes check merge packed device_state range join share counts extremes kernels_f64 kernels_f32 kernels_f32_wide kernels_f16 \
	kernels_bf16 masked_f64 masked_f32 masked_f32_wide masked_f16 masked_bf16
EMULATE_HEADERS := $(patsubst src/%,$(EMULATE)/src/%,$(wildcard src/cuda/*.cuh src/cuda/*.h))
EMULATE_OBJ = $(EMULATE_CU:%=$(EMULATE)/%.o) $(patsubst tests/emulate/%.cc,$(EMULATE)/%.o,$(wildcard tests/emulate/*.cc))
# -fpermissive, -w: what nvcc takes and g++ does not, and what it would warn of, are not what is tested here.
EMULATE_FLAGS = -O1 -g1 -fsanitize=shift,bounds -fsanitize-undefined-trap-on-error -std=c++17 -fpermissive -w -mavx2 -mfma -mf16c -ffp-contract=off -fno-math-errno -fno-strict-aliasing \
	-I$(EMULATE)/src -Isrc -Iinclude -I. -include tests/emulate/shim.h -MMD -MP

.PHONY: test-cuda-emulated
ifeq ($(filter x86_64-%,$(ARCH)),)
test-cuda-emulated:
	@echo "SKIPPED: the emulation of a CUDA device is for x86-64, not $(ARCH)" >&2
else
test-cuda-emulated: $(EMULATE)/test  ## the CUDA sum kernels on the CPU, compared with the CPU library: needs no nvcc
	$(EMULATE)/test $(EMULATE_SECONDS) $(EMULATE_SEED) $(EMULATE_WAYS)
endif

$(EMULATE)/src/%: src/% tests/emulate/translate.py
	@mkdir -p $(@D)
	$(Q)python3 tests/emulate/translate.py $< >$@.new && mv $@.new $@
.PRECIOUS: $(EMULATE)/src/%
$(EMULATE)/%.o: $(EMULATE)/src/cuda/%.cu tests/emulate/emulate.mk | $(EMULATE_HEADERS)
	$(call say,CXX,$<)
	$(Q)g++ $(EMULATE_FLAGS) -x c++ -c $< -o $@
$(EMULATE)/%.o: tests/emulate/%.cc tests/emulate/emulate.mk | $(EMULATE_HEADERS)
	$(call say,CXX,$<)
	$(Q)g++ $(EMULATE_FLAGS) -c $< -o $@
$(EMULATE)/test: $(EMULATE_OBJ) $(BUILD)/src/cuda/job.o $(BUILD)/src/cuda/device_state_save.o $(LIB_OBJ)
	$(call say,LD,$@)
	$(Q)g++ $(LDFLAGS) -o $@ $^ $(OMP) $(LDLIBS)

-include $(EMULATE_OBJ:.o=.d)
