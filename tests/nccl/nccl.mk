# nccl.mk - the tests and the benchmark of the NCCL library, one program. src/nccl/nccl.mk includes this file and gives HAVE_NCCL, NCCL_OBJ and NCCL_INC.
#
#     make test-nccl                          builds them and runs them on the GPUs that there are here
#     make test-nccl-here                     what can be checked without a GPU
#     make nccl-bundle                        build/nccl/bundle, which runs elsewhere: run.sh there says how

NCCL_BUNDLE = $(BUILD)/nccl/bundle
NCCL_TEST = $(BUILD)/nccl/samesum_nccl_test
NCCL_TEST_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/nccl/*.c bench/nccl/*.c reference/ref*.c) tests/cuda/device.c \
	$(addprefix tests/,suites.c support.c cuts.c cells.c elements.c grids.c rows.c table.c vectors/recipes.c))

.PHONY: test-nccl test-nccl-here nccl-bundle
ifeq ($(HAVE_NCCL),)
nccl_skipped = @echo "**** SKIPPED: no nvcc or no nccl.h: the NCCL library and its $1 NOT BUILT (make nccl says what is missing)" >&2
test-nccl:  ## the tests of the NCCL library, on the GPUs of this machine
	$(call nccl_skipped,tests were)
test-nccl-here:  ## the NCCL library builds, and what can be tested without a GPU
	$(call nccl_skipped,tests were)
nccl-bundle:  ## those tests and the benchmark, to be carried to another machine: build/nccl/bundle/run.sh
	$(call nccl_skipped,bundle were)
else
test-nccl: $(NCCL_TEST)  ## the tests of the NCCL library, on the GPUs of this machine
	$(Q)$(MAKE) nccl-bundle
	$(NCCL_BUNDLE)/run.sh $(BUILD)/nccl/out 300 1 1
test-nccl-here: nccl $(NCCL_TEST)  ## the NCCL library builds, and what can be tested without a GPU
	BUILD='$(BUILD)' CC='$(CC)' CUDA_HOME='$(NCCL_CUDA_HOME)' tests/nccl/install.sh
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
