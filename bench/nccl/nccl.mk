# The benchmark over several GPUs: `make nccl-bundle` puts it beside the tests (tests/nccl/nccl.mk), whose tests/nccl/world.c
# it shares.
NCCL_BENCH = $(BUILD)/nccl/bench_nccl

$(BUILD)/bench/nccl/%.o: EXTRA = -D_GNU_SOURCE -I. $(NCCL_INC)
$(NCCL_BENCH): $(BUILD)/bench/nccl/bench_nccl.o $(BUILD)/tests/nccl/world.o $(NCCL_OBJ) $(CUDA_OBJ) $(LIB_OBJ)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(CFLAGS) $(LDFLAGS) -o $@ $(filter-out $(CUDA_OBJ) $(LIB_OBJ),$^) $(CUDA_TEST_LIBS) $(CUDA_BENCH_STATIC)
CUDA_BENCH_STATIC = -no-pie -static-libgcc -static-libstdc++ $(if $(OMP),-l:libgomp.a) -lrt -ldl -pthread -lm
