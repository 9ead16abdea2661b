# examples.mk - `make examples` builds each examples/*.c and runs it. The top Makefile includes this file.

EXAMPLES := $(patsubst %.c,$(BUILD)/%,$(wildcard examples/*.c))

.PHONY: examples
examples: $(EXAMPLES)  ## build and run the examples
	@for e in $(EXAMPLES); do echo "$$e:"; $$e || exit 1; done

$(EXAMPLES): %: %.o $(LIB_A)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(OMP) $(LDFLAGS) -o $@ $< $(LIB_A) $(LDLIBS)
