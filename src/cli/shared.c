#include "shared.h"

#include "samesum.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WHY(s, ...) snprintf((s)->why, sizeof(s)->why, __VA_ARGS__)

static void *load(const struct shared *s, const char *path)
{
    return dlopen(path, RTLD_NOW | (s->everywhere ? RTLD_GLOBAL : RTLD_LOCAL));
}

/* Loads s->path where there is such a file; returns whether there is. */
static bool load_path(struct shared *s)
{
    if (access(s->path, F_OK) != 0)
        return false;
    s->handle = load(s, s->path);
    const char *error = s->handle ? NULL : dlerror();
    if (error)
        WHY(s, "%s cannot be loaded: %s", s->path, error);
    return true;
}

/* The folder of the program's own file. */
static void own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    else
        strcpy(folder, ".");
}

static void look_around(struct shared *s, const char *const *folders, int count)
{
    char own[PATH_MAX], looked[3 * PATH_MAX] = "";
    own_folder(own);
    for (int i = 0; i < count; i++) {
        snprintf(s->path, sizeof s->path, "%s%s/%s", own, folders[i], s->file_name);
        if (load_path(s))
            return;
        size_t used = strlen(looked);
        snprintf(looked + used, sizeof looked - used, "%s%s%s", i ? ", in " : "", own, folders[i]);
    }
    snprintf(s->path, sizeof s->path, "%s", s->file_name);
    s->handle = load(s, s->file_name);
    if (!s->handle)
        WHY(s, "there is no %s in %s or where the system looks for libraries", s->file_name,
            looked);
}

void shared_load(struct shared *s, const char *const *folders, int count)
{
    const char *name = getenv(s->variable);
    if (!name || !*name) {
        look_around(s, folders, count);
        return;
    }
    snprintf(s->path, sizeof s->path, "%s", name);
    if (!load_path(s))
        WHY(s, "there is no %s, which %s names", name, s->variable);
}

/* ISO C has no conversion from void * to a pointer to a function. */
bool shared_find(struct shared *s, const char *name, void *function)
{
    void *found = s->handle ? dlsym(s->handle, name) : NULL;
    memcpy(function, &found, sizeof found);
    if (!found && !*s->why)
        WHY(s, "%s is not the %s of this version: %s", s->path, s->file_name, dlerror());
    return found != NULL;
}

void shared_check_version(struct shared *s, const char *version)
{
    if (strcmp(version, samesum_version()) != 0)
        WHY(s, "%s is of version %s and this program of version %s", s->path, version,
            samesum_version());
}
