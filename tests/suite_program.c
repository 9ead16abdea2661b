/* suite_program.c - the scripts of tests/cli on the program, and the reference's own check. */
#include "suites.h"
#include "support.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

/* Runs a command; shows its output only where it fails, and what it skipped always. */
static void passes(const char *command)
{
    char line[600];
    snprintf(line, sizeof line, "%s > %s/tests/output 2>&1 </dev/null", command, TEST_BUILD);
    int status = run_command(line);
    if (status != 0) {
        run_command("grep -v '^ok ' " TEST_BUILD "/tests/output | tail -n 40");
        ck_abort_msg("exit status %d: %s", status, command);
    }
    run_command("grep SKIPPED " TEST_BUILD "/tests/output");
}

static const char *scripts[64];
static int script_count;

/* Every script of tests/cli but the one that the others read. */
static void find_scripts(void)
{
    static glob_t found;
    script_count = 0;
    if (glob("tests/cli/*.sh", 0, NULL, &found) != 0) {
        return;
    }
    for (size_t i = 0; i < found.gl_pathc && script_count < 64; i++) {
        if (strcmp(found.gl_pathv[i], "tests/cli/lib.sh") != 0) {
            scripts[script_count++] = found.gl_pathv[i];
        }
    }
}

START_TEST(scripts_are_there)
{
    ck_assert_msg(script_count > 0, "no scripts in tests/cli: run this from the top folder");
}
END_TEST

START_TEST(command_line)
{
    char command[512];
    snprintf(command, sizeof command, "SAMESUM=" TEST_BUILD "/samesum sh %s", scripts[_i]);
    passes(command);
}
END_TEST

START_TEST(selftest)
{
    passes(TEST_BUILD "/samesum selftest");
}
END_TEST

START_TEST(reference_check)
{
#ifdef TEST_HAVE_MPFR
    passes(TEST_BUILD "/tests/check");
#else
    skipped("program", "the check of the reference needs MPFR");
#endif
}
END_TEST

Suite *suite_program(void)
{
    TCase *tests;
    Suite *suite = new_suite("program", &tests);
    find_scripts();
    tcase_add_test(tests, scripts_are_there);
    tcase_add_loop_test(tests, command_line, 0, script_count);
    tcase_add_test(tests, selftest);
    tcase_add_test(tests, reference_check);
    return suite;
}
