# install.mk - `make install` and `make uninstall`. The top Makefile includes this file.
#
# PREFIX is where things are to be found later, DESTDIR what is put before every path while
# installing (for packagers). LIBDIR, INCLUDEDIR, BINDIR and MANDIR follow PREFIX unless given.

LIBDIR = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man

INSTALL = install
CMAKE_DIR = $(LIBDIR)/cmake/samesum
SO_REAL = libsamesum.so.$(VERSION)
SO_NAME = libsamesum.so.$(SOVERSION)
MAN1 := $(wildcard docs/*.1)
MAN3 := $(wildcard docs/*.3)
# What samesum_device.cuh includes; there is nothing to build for it.
DEVICE_HEADERS = kahan/node.h fixedtree/shape.h $(addprefix cuda/,isa_cuda.h device_nodes.cuh device_tree.cuh)

# What a program that links to the static library needs besides.
LIBS_PRIVATE = $(if $(OMP),$(if $(findstring clang,$(shell $(CC) --version)),-fopenmp,-lgomp) )-lm
space := $() $()
SUBSTITUTE = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	-e 's|@VERSION@|$(VERSION)|' -e 's|@SOVERSION@|$(SOVERSION)|' -e 's|@LIBS_PRIVATE@|$(LIBS_PRIVATE)|' \
	-e 's|@LIBS_PRIVATE_LIST@|$(subst $(space),;,$(LIBS_PRIVATE))|' \
	-e "s|@INCLUDE_FROM_HERE@|$$(realpath -m --relative-to=$(CMAKE_DIR) $(INCLUDEDIR))|"

install: all  ## into PREFIX (default /usr/local), below DESTDIR: libraries, headers, program, man pages
	$(INSTALL) -d $(addprefix $(DESTDIR),$(BINDIR) $(INCLUDEDIR) $(LIBDIR)/pkgconfig $(CMAKE_DIR) \
		$(MANDIR)/man1 $(MANDIR)/man3 $(addprefix $(INCLUDEDIR)/samesum/,$(sort $(dir $(DEVICE_HEADERS)))))
	$(INSTALL) -m 755 $(PROGRAM) $(DESTDIR)$(BINDIR)/samesum
	$(INSTALL) -m 644 include/samesum.h include/samesum_device.cuh $(DESTDIR)$(INCLUDEDIR)/
	for h in $(DEVICE_HEADERS); do $(INSTALL) -m 644 src/$$h $(DESTDIR)$(INCLUDEDIR)/samesum/$$h || exit; done
	$(INSTALL) -m 644 $(LIB_A) $(DESTDIR)$(LIBDIR)/
	$(INSTALL) -m 755 $(LIB_SO) $(DESTDIR)$(LIBDIR)/$(SO_REAL)
	ln -sf $(SO_REAL) $(DESTDIR)$(LIBDIR)/$(SO_NAME)
	ln -sf $(SO_NAME) $(DESTDIR)$(LIBDIR)/libsamesum.so
	$(SUBSTITUTE) samesum.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/samesum.pc
	$(SUBSTITUTE) cmake/samesum-config.cmake.in > $(DESTDIR)$(CMAKE_DIR)/samesum-config.cmake
	$(SUBSTITUTE) cmake/samesum-config-version.cmake.in > $(DESTDIR)$(CMAKE_DIR)/samesum-config-version.cmake
	$(if $(MAN1),$(INSTALL) -m 644 $(MAN1) $(DESTDIR)$(MANDIR)/man1/)
	$(if $(MAN3),$(INSTALL) -m 644 $(MAN3) $(DESTDIR)$(MANDIR)/man3/)

# The program finds the library in ../lib beside itself.
CUDA_SO_REAL = libsamesum_cuda.so.$(VERSION)
CUDA_SO_NAME = libsamesum_cuda.so.$(SOVERSION)
install-cuda: cuda  ## into PREFIX: libsamesum_cuda and its header, beside what `make install` puts there
	$(INSTALL) -d $(addprefix $(DESTDIR),$(INCLUDEDIR) $(LIBDIR)/pkgconfig)
	$(INSTALL) -m 644 include/samesum_cuda.h $(DESTDIR)$(INCLUDEDIR)/
	$(INSTALL) -m 644 $(BUILD)/libsamesum_cuda.a $(DESTDIR)$(LIBDIR)/
	$(INSTALL) -m 755 $(BUILD)/libsamesum_cuda.so $(DESTDIR)$(LIBDIR)/$(CUDA_SO_REAL)
	ln -sf $(CUDA_SO_REAL) $(DESTDIR)$(LIBDIR)/$(CUDA_SO_NAME)
	ln -sf $(CUDA_SO_NAME) $(DESTDIR)$(LIBDIR)/libsamesum_cuda.so
	$(SUBSTITUTE) src/cuda/samesum_cuda.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/samesum_cuda.pc

# One folder for each MPI library, where the program looks for that of the launcher; pkg-config knows them as
# samesum_mpi-openmpi and so on.
MPI_SO_REAL = libsamesum_mpi.so.$(VERSION)
MPI_SO_NAME = libsamesum_mpi.so.$(SOVERSION)
mpi_dir = $(DESTDIR)$(LIBDIR)/samesum/$1
install-mpi: mpi  ## into PREFIX: libsamesum_mpi for each MPI library, and its header, beside what `make install` puts there
	$(INSTALL) -d $(addprefix $(DESTDIR),$(INCLUDEDIR) $(LIBDIR)/pkgconfig) $(foreach m,$(MPI_KINDS),$(call mpi_dir,$m))
	$(INSTALL) -m 644 include/samesum_mpi.h $(DESTDIR)$(INCLUDEDIR)/
	for m in $(MPI_KINDS); do \
		$(INSTALL) -m 644 $(BUILD)/$$m/libsamesum_mpi.a $(DESTDIR)$(LIBDIR)/samesum/$$m/ && \
		$(INSTALL) -m 755 $(BUILD)/$$m/libsamesum_mpi.so $(DESTDIR)$(LIBDIR)/samesum/$$m/$(MPI_SO_REAL) && \
		ln -sf $(MPI_SO_REAL) $(DESTDIR)$(LIBDIR)/samesum/$$m/$(MPI_SO_NAME) && \
		ln -sf $(MPI_SO_NAME) $(DESTDIR)$(LIBDIR)/samesum/$$m/libsamesum_mpi.so && \
		$(SUBSTITUTE) -e "s|@MPI@|$$m|" src/mpi/samesum_mpi.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/samesum_mpi-$$m.pc || exit; done

# Beside the header of the CUDA library, which it includes.
NCCL_SO_REAL = libsamesum_nccl.so.$(VERSION)
NCCL_SO_NAME = libsamesum_nccl.so.$(SOVERSION)
install-nccl: nccl  ## into PREFIX: libsamesum_nccl and its header, beside what `make install` puts there
	$(INSTALL) -d $(addprefix $(DESTDIR),$(INCLUDEDIR) $(LIBDIR)/pkgconfig)
	$(INSTALL) -m 644 include/samesum_nccl.h include/samesum_cuda.h $(DESTDIR)$(INCLUDEDIR)/
	$(INSTALL) -m 644 $(BUILD)/libsamesum_nccl.a $(DESTDIR)$(LIBDIR)/
	$(INSTALL) -m 755 $(BUILD)/libsamesum_nccl.so $(DESTDIR)$(LIBDIR)/$(NCCL_SO_REAL)
	ln -sf $(NCCL_SO_REAL) $(DESTDIR)$(LIBDIR)/$(NCCL_SO_NAME)
	ln -sf $(NCCL_SO_NAME) $(DESTDIR)$(LIBDIR)/libsamesum_nccl.so
	$(SUBSTITUTE) src/nccl/samesum_nccl.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/samesum_nccl.pc

uninstall:  ## removes what `make install` with the same PREFIX and DESTDIR put there
	rm -f $(DESTDIR)$(BINDIR)/samesum $(addprefix $(DESTDIR)$(INCLUDEDIR)/,samesum.h samesum_cuda.h samesum_mpi.h samesum_nccl.h samesum_device.cuh) \
		$(addprefix $(DESTDIR)$(LIBDIR)/,libsamesum.a libsamesum.so $(SO_NAME) $(SO_REAL) pkgconfig/samesum.pc \
		libsamesum_cuda.a libsamesum_cuda.so $(CUDA_SO_NAME) $(CUDA_SO_REAL) pkgconfig/samesum_cuda.pc \
		libsamesum_nccl.a libsamesum_nccl.so $(NCCL_SO_NAME) $(NCCL_SO_REAL) pkgconfig/samesum_nccl.pc \
		$(patsubst %,pkgconfig/samesum_mpi-%.pc,openmpi mpich mpi)) \
		$(addprefix $(DESTDIR)$(MANDIR)/,$(patsubst docs/%,man1/%,$(MAN1)) $(patsubst docs/%,man3/%,$(MAN3)))
	rm -rf $(DESTDIR)$(CMAKE_DIR) $(DESTDIR)$(INCLUDEDIR)/samesum $(DESTDIR)$(LIBDIR)/samesum

.PHONY: install install-cuda install-mpi install-nccl uninstall
