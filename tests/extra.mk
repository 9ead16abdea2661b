# extra.mk - tests beside the suites of tests.mk: of builds, of what a build holds, of what it installs.
# The top Makefile includes this file.

.PHONY: test-mutants test-disassembly test-abi test-install test-aarch64 test-builds
test-mutants: $(PROGRAM)  ## a kernel made wrong fails under its backend, and under no other
	BUILD='$(BUILD)' CC='$(CC)' CFLAGS='$(CFLAGS)' OPENMP='$(OPENMP)' tests/mutants.sh
test-disassembly: $(LIB_A)  ## each kernel uses its own registers
	BUILD='$(BUILD)' CC='$(CC)' tests/disassembly.sh
test-abi: all  ## the libraries export what the header declares
	BUILD='$(BUILD)' CC='$(CC)' tests/abi.sh
test-install: all  ## make install, and programs that use what it installs
	BUILD='$(BUILD)' CC='$(CC)' CXX='$(CXX)' CFLAGS='$(CFLAGS)' OPENMP='$(OPENMP)' tests/install.sh
test-aarch64: $(PROGRAM)  ## cross-built for AArch64 and run under qemu
	NATIVE='$(PROGRAM)' tests/aarch64.sh
test-builds:  ## a subset of the tests on other compilers and flags, sanitizers and valgrind
	tests/builds.sh

# Statically linked, without Check; built by tests/aarch64.sh.
$(BUILD)/tests/aarch64_fpenv: $(BUILD)/tests/aarch64_fpenv.o $(LIB_A)
	$(CC) $(CFLAGS) $(OMP) $(LDFLAGS) -o $@ $^ $(LDLIBS)
