#include "nccl/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { OLDEST = NCCL_VERSION(2, 10, 0) };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static ss_nccl library;
static char fault[sizeof library.file + 200]; /* empty: there is none */
static const char usual_file[] = "libnccl.so.2";

static const char *asked_for(void)
{
    const char *file = getenv("SAMESUM_NCCL_LIBRARY");
    return file && *file ? file : usual_file;
}

/* Communicators are the program's, so its NCCL comes first: linked or loaded for all to see, then
 * under its usual name for itself alone. */
static void *find(void)
{
    void *handle;
    if (dlsym(RTLD_DEFAULT, "ncclAllGather"))
        return RTLD_DEFAULT;
    handle = dlopen(usual_file, RTLD_NOW | RTLD_NOLOAD);
    if (!handle)
        handle = dlopen(asked_for(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        snprintf(fault, sizeof fault,
                 "NCCL was not found (%s): install it, or name its file in SAMESUM_NCCL_LIBRARY",
                 dlerror());
    return handle;
}

/* A pointer to a function, which C does not make of one to an object. */
static int symbol(void *handle, const char *name, void *function)
{
    *(void **)function = dlsym(handle, name);
    return *(void **)function != NULL;
}

static const char *text_of(int version, char *text, size_t bytes)
{
    const int old = version < 10000; /* as NCCL_VERSION counts */
    snprintf(text, bytes, "%d.%d.%d", version / (old ? 1000 : 10000),
             version / 100 % (old ? 10 : 100), version % 100);
    return text;
}

static void load(void)
{
    char version[40];
    Dl_info info;
    void *handle = find();
    int complete = 1;
    if (*fault)
        return;
#define SYMBOL(name) complete &= symbol(handle, "nccl" #name, &library.name);
    SS_NCCL_CALLS(SYMBOL)
#undef SYMBOL
    if (library.GetVersion && library.GetVersion(&library.version) != ncclSuccess)
        library.version = 0;
    if (library.GetVersion && dladdr(*(void **)&library.GetVersion, &info) && info.dli_fname)
        snprintf(library.file, sizeof library.file, "%s", info.dli_fname);
    if (!library.GetVersion)
        snprintf(fault, sizeof fault, "%s is not NCCL: name its file in SAMESUM_NCCL_LIBRARY",
                 asked_for());
    else if (library.version < OLDEST)
        snprintf(fault, sizeof fault, "NCCL %s is too old (%s): 2.10 or newer is needed",
                 text_of(library.version, version, sizeof version), library.file);
    else if (!complete)
        snprintf(fault, sizeof fault, "NCCL %s (%s) lacks functions: is its build complete?",
                 text_of(library.version, version, sizeof version), library.file);
}

const ss_nccl *ss_nccl_library(const char **why)
{
    pthread_once(&once, load);
    if (*fault && why)
        *why = fault;
    return *fault ? NULL : &library;
}

samesum_status samesum_nccl_status(const char **why)
{
    return ss_nccl_library(why) ? samesum_cuda_status(why) : SAMESUM_ERR_UNAVAILABLE;
}

const char *samesum_nccl_version(void)
{
    return SAMESUM_VERSION;
}

samesum_status samesum_nccl_library(char *text, size_t bytes)
{
    char version[40];
    const ss_nccl *nccl = ss_nccl_library(NULL);
    if (!text)
        return SAMESUM_ERR_NULL;
    if (bytes == 0)
        return SAMESUM_ERR_SIZE;
    *text = '\0';
    if (!nccl)
        return SAMESUM_ERR_UNAVAILABLE;
    snprintf(text, bytes, "NCCL %s, %s", text_of(nccl->version, version, sizeof version),
             nccl->file);
    return SAMESUM_OK;
}
