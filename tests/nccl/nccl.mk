# nccl.mk - the tests and the benchmark of the NCCL library, one program. src/nccl/nccl.mk includes this file and gives HAVE_NCCL, NCCL_OBJ and NCCL_INC.
#
#     make test-nccl                          builds them and runs them on the GPUs that there are here
#     make test-nccl-here                     what can be checked without a GPU
#     make nccl-bundle                        build/nccl/bundle, which runs elsewhere: run.sh there says how

NCCL_BUNDLE = $(BUILD)/nccl/bundle
NCCL_TEST = $(BUILD)/nccl/samesum_nccl_test
NCCL_TEST_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/nccl/*.c bench/nccl/*.c reference/ref*.c) tests/cuda/device.c \
	$(addprefix tests/,suites.c support.c cuts.c cells.c elements.c grids.c rows.c table.c vectors/recipes.c))

# The same tests on devices that the CPU plays (tests/emulate), in one process, below level exact.
NCCL_EMULATED = $(BUILD)/nccl/emulated
NCCL_EMULATED_OBJ = $(filter-out $(EMULATE)/test.o,$(EMULATE_OBJ)) $(BUILD)/src/cuda/job.o $(BUILD)/src/cuda/device_state_save.o \
	$(LIB_OBJ) $(NCCL_OBJ) $(NCCL_TEST_OBJ)

.PHONY: test-nccl test-nccl-here test-nccl-emulated nccl-bundle
ifeq ($(HAVE_NCCL),)
nccl_skipped = @echo "**** SKIPPED: no nvcc or no nccl.h: the NCCL library and its $1 NOT BUILT (make nccl says what is missing)" >&2
test-nccl:  ## the tests of the NCCL library, on the GPUs of this machine
	$(call nccl_skipped,tests were)
test-nccl-here:  ## the NCCL library builds, and what can be tested without a GPU
	$(call nccl_skipped,tests were)
test-nccl-emulated:  ## the tests of the NCCL library on devices that the CPU plays, below level exact
	$(call nccl_skipped,tests were)
nccl-bundle:  ## those tests and the benchmark, to be carried to another machine: build/nccl/bundle/run.sh
	$(call nccl_skipped,bundle were)
else
test-nccl: $(NCCL_TEST)  ## the tests of the NCCL library, on the GPUs of this machine
	$(Q)$(MAKE) nccl-bundle
	$(NCCL_BUNDLE)/run.sh $(BUILD)/nccl/out 300 1 1
test-nccl-here: nccl $(NCCL_TEST)  ## the NCCL library builds, and what can be tested without a GPU
	BUILD='$(BUILD)' CC='$(CC)' CUDA_HOME='$(NCCL_CUDA_HOME)' tests/nccl/install.sh
test-nccl-emulated: $(NCCL_EMULATED)/test  ## the tests of the NCCL library on devices that the CPU plays, below level exact
	export OMP_NUM_THREADS=1 SAMESUM_NCCL_LIBRARY=$(NCCL_EMULATED)/libnccl.so; for n in 1 2 3 5; do \
		$< members $$n --quick --below-exact --limit 120 cases arguments states vectors table communicators && \
		$< members $$n --short --below-exact --limit 120 fields || exit; done
nccl-bundle: $(NCCL_TEST)  ## those tests and the benchmark, to be carried to another machine: build/nccl/bundle/run.sh
	@mkdir -p $(NCCL_BUNDLE)
	$(Q)cp tests/nccl/run.sh $(NCCL_BUNDLE)
	$(Q)$(TOOLS)strip -o $(NCCL_BUNDLE)/samesum_nccl_test $(NCCL_TEST)
	$(Q)du -sh $(NCCL_BUNDLE)
endif

$(BUILD)/tests/nccl/%.o $(BUILD)/bench/nccl/%.o: EXTRA = -D_GNU_SOURCE -I. $(NCCL_INC)
$(filter $(BUILD)/tests/nccl/%,$(NCCL_TEST_OBJ)): | test-needs
# Nothing is taken from the machine where it runs, but for the C library, the driver and NCCL.
$(NCCL_TEST): $(NCCL_TEST_OBJ) $(NCCL_OBJ) $(CUDA_OBJ) $(LIB_OBJ)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(CFLAGS) $(LDFLAGS) -o $@ $(NCCL_TEST_OBJ) $(NCCL_OBJ) $(CUDA_TEST_LIBS) $(CUDA_TEST_STATIC)

$(NCCL_EMULATED)/libnccl.so: tests/nccl/emulated/nccl.c tests/nccl/nccl.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CFLAGS) $(WARN) -Wno-missing-prototypes -Wno-strict-prototypes -std=c11 $(NCCL_INC) -fPIC -shared -o $@ $<
$(NCCL_EMULATED)/test: tests/nccl/emulated/runtime.cc $(wildcard tests/emulate/*.h) $(NCCL_EMULATED_OBJ) $(NCCL_EMULATED)/libnccl.so
	$(call say,CXX,$@)
	$(Q)$(CXX) $(CFLAGS) -std=c++17 -Wall -Wextra -Iinclude $(NCCL_INC) -o $@ $< $(filter %.o,$^) $(CHECK_LIBS) $(OMP) -ldl -pthread $(LDLIBS)
