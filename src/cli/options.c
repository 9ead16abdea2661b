#include "options.h"

#include "golden_entry.h"
#include "message.h"
#include "number.h"
#include "ops.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- values ---------------------------------------------------------------------------------- */

/* Digits alone: no sign, blank, exponent or empty text, nothing above max. */
static uint64_t number(const char *option, const char *text, uint64_t min, uint64_t max)
{
    uint64_t v = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (v > (max - digit) / 10)
            die_usage("--%s: '%s' is too large, the largest is %llu", option, text,
                      (unsigned long long)max);
        v = v * 10 + digit;
    }
    if (*p || p == text || v < min)
        die_usage("--%s: '%s' is not a whole number from %llu on", option, text,
                  (unsigned long long)min);
    return v;
}

/* The same with an optional minus. */
static int64_t signed_number(const char *option, const char *text)
{
    const bool negative = *text == '-';
    const char *digits = text + negative;
    if (!*digits || digits[strspn(digits, "0123456789")])
        die_usage("--%s: '%s' is not a whole number", option, text);
    const int64_t v = (int64_t)number(option, digits, 0, INT64_MAX);
    return negative ? -v : v;
}

/* The index of text among count names. */
static int choice(const char *option, const char *text, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    fprintf(stderr, "samesum: --%s: unknown value '%s', it takes", option, text);
    for (int i = 0; i < count; i++)
        fprintf(stderr, "%s %s", i == 0 ? "" : i + 1 < count ? "," : " or", names[i]);
    fputc('\n', stderr);
    leave(EXIT_USAGE);
}
#define CHOICE(option, text, names) choice(option, text, names, (int)(sizeof names / sizeof *names))

static void set_accuracy(struct request *r, const char *text)
{
    static const char *const names[] = {"tree", "kahan", "compensated", "exact"};
    static const samesum_level levels[] = {SAMESUM_TREE, SAMESUM_KAHAN, SAMESUM_COMPENSATED,
                                           SAMESUM_EXACT};
    r->level = levels[CHOICE("accuracy", text, names)];
}

static void set_wide(struct request *r, const char *text)
{
    (void)text;
    r->wide = true;
}

static void set_threads(struct request *r, const char *text)
{
    r->threads = (int)number("threads", text, 1, INT_MAX);
}

static void set_backend(struct request *r, const char *text)
{
    static const char *const names[] = {"auto", "scalar", "avx2", "avx512", "neon", "cuda"};
    CHOICE("backend", text, names);
    r->backend = SAMESUM_BACKEND_AUTO;
    if (strcmp(text, "auto") != 0 && samesum_backend_from_name(text, &r->backend) < 0)
        die_bad("--backend %s: this library does not know it", text);
}

static void set_chunk(struct request *r, const char *text)
{
    r->chunk = (size_t)number("chunk", text, 1, SIZE_MAX / 2);
}

static void set_format(struct request *r, const char *text)
{
    static const char *const names[] = {"npy", "raw", "text"};
    static const enum format formats[] = {FORMAT_NPY, FORMAT_RAW, FORMAT_TEXT};
    r->file.format = formats[CHOICE("format", text, names)];
}

static void set_dtype(struct request *r, const char *text)
{
    static const char *const names[] = {"f64", "f32", "f16", "bf16", "c64", "c128"};
    CHOICE("dtype", text, names);
    r->file.dtype = dtype_from_name(text);
}

static void set_skip_lines(struct request *r, const char *text)
{
    r->file.skip_lines = number("skip-lines", text, 0, UINT64_MAX);
}

static void set_column(struct request *r, const char *text)
{
    r->file.column = (int64_t)number("column", text, 0, INT64_MAX);
}

static void set_result_type(struct request *r, const char *text)
{
    static const char *const names[] = {"input"};
    CHOICE("result-type", text, names);
    r->result_type = SAMESUM_RESULT_INPUT;
}

static void set_fail_on_nonfinite(struct request *r, const char *text)
{
    (void)text;
    r->fail_on_nonfinite = true;
}

static void set_output(struct request *r, const char *text)
{
    static const char *const names[] = {"text", "bits", "hex", "json"};
    static const enum output outputs[] = {OUTPUT_TEXT, OUTPUT_BITS, OUTPUT_HEX, OUTPUT_JSON};
    r->output = outputs[CHOICE("output", text, names)];
}

static void set_ddof(struct request *r, const char *text)
{
    r->ddof = (unsigned)number("ddof", text, 0, UINT_MAX);
}

static const char one_axis[] = "the program reduces along one, the library along several";

static void set_axis(struct request *r, const char *text)
{
    if (strchr(text, ','))
        die_usage("--axis: '%s' names several axes; %s", text, one_axis);
    r->axis = signed_number("axis", text);
}

static void set_stride(struct request *r, const char *text)
{
    r->stride = signed_number("stride", text);
    if (r->stride == 0)
        die_usage("--stride: 0 would take one element for ever; 1 takes all, -1 from the last one "
                  "backwards");
}

static void set_mask(struct request *r, const char *text)
{
    r->mask = text;
}

static void set_missing(struct request *r, const char *text)
{
    char *end;
    number_from_text(text, &end, DTYPE_F64);
    if (!*text || isspace((unsigned char)*text) || *end || strchr(text, '('))
        die_usage("--missing: '%s' is not a number", text);
    r->missing = text; /* to be rounded to the file's type */
}

static void set_weights(struct request *r, const char *text)
{
    r->weights = text;
}

static void set_conj(struct request *r, const char *text)
{
    (void)text;
    r->conj = true;
}

static void set_nan(struct request *r, const char *text)
{
    static const char *const names[] = {"propagate", "ignore"};
    static const samesum_nan policies[] = {SAMESUM_NAN_PROPAGATE, SAMESUM_NAN_IGNORE};
    r->nan = policies[CHOICE("nan", text, names)];
}

static void set_mpi(struct request *r, const char *text)
{
    (void)text;
    r->mpi = true;
}

static void set_out_file(struct request *r, const char *text)
{
    if (!*text || strcmp(text, "-") == 0)
        die_usage("-o needs the name of a file to write");
    r->out_file = text;
}

static void set_size(struct request *r, const char *text)
{
    r->size_mib = number("size", text, 1, SIZE_MAX >> 21);
}

/* A list with commas; the option may also come several times. */
static void set_op(struct request *r, const char *text)
{
    const size_t room = sizeof r->golden_ops / sizeof *r->golden_ops;
    for (size_t length; length = strcspn(text, ","), true; text += length + 1) {
        char *name = need_memory(length + 1);
        memcpy(name, text, length);
        name[length] = '\0';
        const struct operation *op = golden_operation(name);
        if (!op)
            die_usage("--op: '%s' is no operation that reduces files to a number; samesum --help "
                      "lists them",
                      name);
        for (int i = 0; i < r->golden_op_count; i++)
            if (r->golden_ops[i] == op)
                die_usage("--op: %s is named twice", name);
        free(name);
        if ((size_t)r->golden_op_count < room)
            r->golden_ops[r->golden_op_count++] = op;
        if (!text[length])
            break;
    }
}

static void set_update(struct request *r, const char *text)
{
    (void)text;
    r->update = true;
}

static void set_tolerance(struct request *r, const char *text)
{
    r->tolerance = number("tolerance", text, 0, UINT64_MAX);
}

/* ---- the table ------------------------------------------------------------------------------- */

enum value { NO_VALUE = no_argument, VALUE = required_argument };

static const struct option_row {
    const char *name;
    enum value value;
    void (*set)(struct request *r, const char *text); /* NULL: not supported yet */
    const char *help;                                 /* NULL: not shown */
} rows[OPTION_COUNT] = {
    [OPTION_ACCURACY] = {"accuracy", VALUE, set_accuracy,
                         "tree|kahan|compensated|exact    how accurate (default compensated)"},
    [OPTION_WIDE] = {"wide", NO_VALUE, set_wide, "accumulate binary32 data in binary64"},
    [OPTION_THREADS] = {"threads", VALUE, set_threads, "N    at most N threads"},
    [OPTION_BACKEND] = {"backend", VALUE, set_backend, "auto|scalar|avx2|avx512|neon|cuda"},
    [OPTION_CHUNK] = {"chunk", VALUE, set_chunk, "N    stream in chunks of N elements"},
    [OPTION_FORMAT] = {"format", VALUE, set_format, "npy|raw|text    instead of by suffix"},
    [OPTION_DTYPE] = {"dtype", VALUE, set_dtype,
                      "f64|f32|f16|bf16|c64|c128    of raw data; of a text (default f64)"},
    [OPTION_SKIP_LINES] = {"skip-lines", VALUE, set_skip_lines, "N    of a text"},
    [OPTION_COLUMN] = {"column", VALUE, set_column, "K    of a text, from 0"},
    [OPTION_RESULT_TYPE] = {"result-type", VALUE, set_result_type,
                            "input    f16, bf16: a result of that type, not of f32"},
    [OPTION_FAIL_ON_NONFINITE] = {"fail-on-nonfinite", NO_VALUE, set_fail_on_nonfinite,
                                  "exit 1 where the data hold NaN or inf"},
    [OPTION_OUTPUT] = {"output", VALUE, set_output, "text|bits|hex|json"},
    [OPTION_SIZE] = {"size", VALUE, set_size, "MIB    bench: size of the buffer (default 256)"},
    [OPTION_AXIS] = {"axis", VALUE, set_axis,
                     "K    reduce along axis K, negative: from the last; one result a line"},
    [OPTION_STRIDE] = {"stride", VALUE, set_stride,
                       "S    elements 0, S, 2 S...; negative: from the last one backwards"},
    [OPTION_MASK] = {"mask", VALUE, set_mask,
                     "F    .npy of bool or uint8; 0 leaves an element out"},
    [OPTION_MISSING] = {"missing", VALUE, set_missing,
                        "V    leave out elements that equal V (in the file's type), or nan"},
    [OPTION_WEIGHTS] = {"weights", VALUE, set_weights, "F    sum, mean: weight of each element"},
    [OPTION_CONJ] = {"conj", NO_VALUE, set_conj, "dot: of the complex conjugate of the first file"},
    [OPTION_DDOF] = {"ddof", VALUE, set_ddof, "D    var, std: divide by n - D (default 0)"},
    [OPTION_NAN] = {"nan", VALUE, set_nan,
                    "propagate|ignore    min, max, argmin, argmax (default propagate)"},
    [OPTION_OUT_FILE] = {"o", VALUE, set_out_file,
                         "FILE    write the results as .npy; golden record: the golden file"},
    [OPTION_HTML] = {"html", VALUE, NULL, NULL},
    [OPTION_MPI] = {"mpi", NO_VALUE, set_mpi, "under mpirun: the ranks share the work"},
    [OPTION_OP] = {"op", VALUE, set_op, "OP,...    golden record: which operations (default sum)"},
    [OPTION_UPDATE] = {"update", NO_VALUE, set_update, "golden check: record what differs anew"},
    [OPTION_TOLERANCE] = {"tolerance", VALUE, set_tolerance,
                          "N    golden check: ulps that pass (default 0)"},
};

const char *option_name(int id)
{
    return rows[id].name;
}

const char *option_dashes(int id)
{
    return rows[id].name[1] ? "--" : "-";
}

bool option_takes_value(int id)
{
    return rows[id].value == VALUE;
}

/* ---- help ------------------------------------------------------------------------------------ */

static void help(void)
{
    puts("samesum: sums whose bits depend on the data alone\n\n"
         "  samesum OP FILE [FILE2] [options]\n");
    for (int i = 0; i < operation_count; i++) {
        const struct operation *op = &operations[i];
        if (!op->run)
            continue;
        int width = printf("  %s %s", op->name, op->files ? op->files : "");
        printf("%*s%s\n", width < 22 ? 22 - width : 1, "", op->what);
    }
    puts(
        "\nFILE: .npy (f2 f4 f8 c8 c16, V2 with --dtype bf16); raw little-endian .f64 .f32 .f16 "
        ".bf16,\n"
        "or .bin .raw with --dtype; text .csv (commas) or .txt .dat (blanks); - is standard input\n"
        "(npy or text; else --format raw).\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (rows[i].help)
            printf("  %s%s%s %s\n", option_dashes(i), rows[i].name,
                   rows[i].value == VALUE ? "" : "   ", rows[i].help);
    puts("  --help --version\n\n"
         "Exit status: 0 done; 1 bad input or a failed check (nothing on stdout); 2 usage.");
}

static _Noreturn void print_and_exit(void (*print)(void))
{
    print();
    finish_stdout();
    leave(EXIT_DONE);
}

static void version(void)
{
    printf("samesum %s (arithmetic version %d)\n", samesum_version(), samesum_arithmetic_version());
}

/* ---- which options go with the operation ------------------------------------------------------
 */

static _Noreturn void die_belongs(int id, const struct operation *op)
{
    fprintf(stderr, "samesum: %s%s is not an option of %s; it belongs to", option_dashes(id),
            rows[id].name, op->name);
    const char *separator = " ";
    for (int i = 0; i < operation_count; i++)
        if (operations[i].options & OPTION_BIT(id)) {
            fprintf(stderr, "%s%s", separator, operations[i].name);
            separator = ", ";
        }
    fputc('\n', stderr);
    leave(EXIT_USAGE);
}

/* The name says what is in the file: a slip such as -o data.csv or -o x.f64 costs nobody data. */
static void check_out_file(const struct request *r)
{
    const char *dot = strrchr(r->out_file, '.');
    if (!dot || strcasecmp(dot, ".npy") != 0)
        die_usage("-o writes .npy: give a name that ends so, not '%s'", r->out_file);
    if (r->given & OPTION_BIT(OPTION_OUTPUT))
        die_usage("-o writes .npy and prints nothing, --output says how to print: leave one away");
}

static void check(const struct request *r)
{
    const struct operation *op = r->op;
    for (int id = 0; id < OPTION_COUNT; id++)
        if ((r->given & OPTION_BIT(id)) && !(op->options & OPTION_BIT(id)))
            die_belongs(id, op);
    if (!op->run)
        die_usage("%s is not supported yet in version %s", op->name, SAMESUM_VERSION);
    for (int id = 0; id < OPTION_COUNT; id++)
        if ((r->given & OPTION_BIT(id)) && !rows[id].set)
            die_usage("%s%s is not supported yet in version %s", option_dashes(id), rows[id].name,
                      SAMESUM_VERSION);
    if (r->file_count < op->min_files || r->file_count > op->max_files)
        die_usage("%s takes %s, not %d file names; for example: samesum %s %s", op->name,
                  op->max_files == 0   ? "no file"
                  : op->max_files == 1 ? "one file"
                                       : "two files",
                  r->file_count, op->name, op->files ? op->files : "");
    if (r->wide && (r->given & OPTION_BIT(OPTION_RESULT_TYPE)))
        die_usage("--wide gives a binary64 result and --result-type input one of the file's type: "
                  "leave one away");
    if (r->wide && r->file.dtype != DTYPE_NONE && r->file.dtype != DTYPE_F32)
        die_usage("--wide is for f32 data; --dtype %s needs no --wide",
                  dtype_row(r->file.dtype)->name);
    if ((r->given & OPTION_BIT(OPTION_AXIS)) && (r->given & OPTION_BIT(OPTION_STRIDE)))
        die_usage("--stride goes through all elements and --axis through rows: leave one away");
    if (r->out_file && op->run == run_reduction)
        check_out_file(r);
}

/* What only one process can read, or does with memory of its own, cannot be shared. */
static void check_mpi(const struct request *r)
{
    bool input =
        (r->mask && strcmp(r->mask, "-") == 0) || (r->weights && strcmp(r->weights, "-") == 0);
    for (int i = 0; i < r->file_count; i++)
        input = input || strcmp(r->files[i], "-") == 0;
    if (input)
        die_usage("--mpi: standard input reaches one rank alone: name a file that all can read");
    if (r->backend == SAMESUM_BACKEND_CUDA)
        die_usage("--mpi shares the work among CPUs, backend cuda is one device: leave one away");
}

/* The library itself has no backend of that name: the program reaches it through another one. */
static void take_environment(struct request *r)
{
    const char *forced = getenv("SAMESUM_BACKEND");
    if (!forced || strcmp(forced, "cuda") != 0)
        return;
    if (r->backend == SAMESUM_BACKEND_AUTO) {
        r->backend = SAMESUM_BACKEND_CUDA;
        r->given |= OPTION_BIT(OPTION_BACKEND);
        r->text[OPTION_BACKEND] = "cuda";
    }
    unsetenv("SAMESUM_BACKEND");
}

/* ---- the command line -------------------------------------------------------------------------
 */

enum { CODE_OPERAND = 1, CODE_HELP = 1000, CODE_VERSION, CODE_OPTION };

/* Two values of one option contradict each other; --op makes a list of them. */
static void refuse_twice(const struct request *r, int id)
{
    if (!(r->given & OPTION_BIT(id)) || rows[id].value == NO_VALUE || id == OPTION_OP)
        return;
    die_usage("%s%s is given twice%s%s", option_dashes(id), rows[id].name,
              id == OPTION_AXIS ? "; " : "", id == OPTION_AXIS ? one_axis : "");
}

void options_read(struct request *r, int argc, char **argv)
{
    *r = (struct request){
        .level = SAMESUM_COMPENSATED, .file.column = -1, .stride = 1, .size_mib = 256};
    struct option longs[OPTION_COUNT + 3] = {{NULL, 0, NULL, 0}};
    for (int i = 0; i < OPTION_COUNT; i++)
        longs[i] = (struct option){rows[i].name, (int)rows[i].value, NULL, CODE_OPTION + i};
    longs[OPTION_COUNT] = (struct option){"help", no_argument, NULL, CODE_HELP};
    longs[OPTION_COUNT + 1] = (struct option){"version", no_argument, NULL, CODE_VERSION};

    char **operands = need_memory((size_t)argc * sizeof *operands);
    int count = 0;
    opterr = 0;
    /* "-": operands come in their place, whatever POSIXLY_CORRECT says; ":": our own messages */
    for (;;) {
        /* what is read next; 0: getopt() starts anew */
        const char *word = argv[optind ? optind : 1];
        const int code = getopt_long(argc, argv, "-:ho:", longs, NULL);
        if (code == -1)
            break;
        if (code == CODE_OPERAND) {
            operands[count++] = optarg;
        } else if (code == 'h' || code == CODE_HELP) {
            print_and_exit(help);
        } else if (code == CODE_VERSION) {
            print_and_exit(version);
        } else if (code == ':') {
            die_usage("%s needs a value", word);
        } else if (code == '?') {
            if (optopt >= CODE_HELP)
                die_usage("%s takes no value", word);
            die_usage("unknown option %s; samesum --help lists them", word);
        } else {
            int id = code == 'o' ? OPTION_OUT_FILE : code - CODE_OPTION;
            refuse_twice(r, id);
            r->given |= OPTION_BIT(id);
            r->text[id] = optarg;
            if (rows[id].set)
                rows[id].set(r, optarg);
        }
    }
    while (optind < argc) /* what follows "--" */
        operands[count++] = argv[optind++];

    if (count == 0)
        die_usage("say what to do, for example: samesum sum FILE; samesum --help lists all");
    if (strcmp(operands[0], "help") == 0)
        print_and_exit(help);
    r->op = operation_find(operands[0]);
    if (!r->op)
        die_usage("unknown operation '%s'; samesum --help lists them", operands[0]);
    r->files = operands + 1;
    r->file_count = count - 1;
    check(r);
    take_environment(r);
    if (r->mpi)
        check_mpi(r);
}
