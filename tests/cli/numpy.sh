#!/bin/sh
# The program against NumPy, where that is installed: whole numbers, whose sums are exact, in random types,
# shapes, memory orders, byte orders, axes, strides, masks; and rows of other numbers against the program's
# own result on each row. SAMESUM_SEED sets the random numbers.
. "${0%/*}/lib.sh"

python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import numpy' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    pass "no NumPy here: nothing is compared"
    finish
fi

export SAMESUM examples
"$python" - "${SAMESUM_SEED:-20}" >report <<'PYTHON'
import os, re, subprocess, sys
from fractions import Fraction
import numpy as np

program = os.environ['SAMESUM']
rng = np.random.default_rng(int(sys.argv[1]))


def pick(*choices):
    return choices[rng.integers(len(choices))]


def run(*arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def save(name, a):
    """In either memory order and byte order."""
    if a.dtype.itemsize > 1 and pick(0, 0, 1):
        a = a.astype(a.dtype.newbyteorder('>'))
    np.save(name, a.copy(pick('C', 'F')))


def bits(value):
    """As --output bits prints it, but for the sign of zeros: products here may be -0.0."""
    parts = [value.real, value.imag] if np.iscomplexobj(value) else [value]
    return ' '.join('0x%0*x' % (2 * p.dtype.itemsize, int(p.view('u%d' % p.dtype.itemsize)))
                    for p in map(lambda p: p.dtype.type(np.nan) if np.isnan(p) else p + p.dtype.type(0), parts))


def unsigned(out):
    return re.sub(r'0x8(0+)\b', r'0x0\1', out)


def report(good, name, what=''):
    print('ok  ' if good else 'FAIL', name + ('' if good else ': ' + what))


def expected(op, row, keep, other, t, ddof):
    """The result of one row; t: its type. None: argmin or argmax of nothing."""
    index = np.flatnonzero(keep)
    row, n = row[keep], int(keep.sum())
    wide = row.astype('c16' if np.iscomplexobj(row) else 'f8')
    if op == 'sum':
        return t(wide.sum())
    if op == 'weighted sum':
        return t((wide * other[keep]).sum())
    if op == 'weighted mean':
        w = other[keep].astype('f8').sum()
        return t((wide * other[keep]).sum()) / t(w) if w else t(np.nan)
    if op == 'asum':
        return t(np.abs(wide).sum())
    if op == 'sumsq':
        return t((wide * wide.conj()).real.sum())
    if op == 'dot':
        return t((wide * other[keep].astype(wide.dtype)).sum())
    if op == 'mean':
        if n == 0:
            return t(complex(np.nan, np.nan) if np.iscomplexobj(row) else np.nan)
        if not np.iscomplexobj(row):
            return t(wide.sum()) / t(n)
        part = t(0).real.dtype.type
        return t(complex(part(wide.sum().real) / part(n), part(wide.sum().imag) / part(n)))
    if n == 0:
        return t(np.nan) if op in ('min', 'max') else None
    return {'min': lambda: t(wide.min()), 'max': lambda: t(wide.max()),
            'argmin': lambda: np.uint64(index[wide.argmin()]),
            'argmax': lambda: np.uint64(index[wide.argmax()])}[op]()


def compare(name, arguments, want, shape):
    """want: the results in C order."""
    if any(w is None for w in want):
        status, out, err = run(*arguments)
        report(status == 1 and out == '' and ('row' in err or 'no element' in err), name, '%d %s' % (status, err))
    elif pick(0, 1):
        status, out, err = run(*arguments, '-o', 'o.npy')
        got = np.load('o.npy') if status == 0 else np.zeros(0)
        same = status == 0 and out == '' and got.shape == shape and all(
            bits(a) == bits(b) for a, b in zip(got.reshape(-1), want))
        report(same, name, '%d %s %s, not %s' % (status, err, got, want))
    else:
        status, out, err = run(*arguments, '--output', 'bits')
        lines = [str(int(w)) if w.dtype == np.uint64 else bits(w) for w in want]
        report(status == 0 and unsigned(out).split('\n')[:-1] == lines, name, '%d %s %s, not %s' % (status, err, out, lines))


def rows_of(a, axis):
    """Rows along the axis, in C order of the others; axis None: one row of all."""
    if axis is None:
        return a.reshape(1, -1)
    return np.moveaxis(a, axis, -1).reshape(-1, a.shape[axis]) if a.shape[axis] else \
        np.zeros((int(np.prod([e for k, e in enumerate(a.shape) if k != axis])), 0), a.dtype)


def random_case(number):
    shape = tuple(int(e) for e in rng.integers(pick(0, 1, 1, 1), pick(2, 4, 7), rng.integers(0, 5)))
    dtype = pick('f8', 'f4', 'f2', 'c8', 'c16')
    is_complex = dtype[0] == 'c'
    op = pick('sum', 'sumsq', 'dot', 'mean') if is_complex else \
        pick('sum', 'asum', 'sumsq', 'dot', 'mean', 'min', 'max', 'argmin', 'argmax', 'weighted sum', 'weighted mean')
    x = rng.integers(-9, 10, shape).astype(dtype)
    if is_complex:
        x = x + (1j * rng.integers(-9, 10, shape)).astype(dtype)
    y = rng.integers(-9, 10, shape).astype(dtype)
    keep = np.ones(shape, bool)
    axis = int(rng.integers(len(shape))) if shape and pick(0, 1) else None
    save('x.npy', x)
    arguments = [op.split()[-1], 'x.npy']
    if op == 'dot':
        save('y.npy', y)
        arguments.append('y.npy')
    if op.startswith('weighted'):
        if axis is not None and pick(0, 1):
            w = rng.integers(-9, 10, shape[axis]).astype(dtype)
            y = np.moveaxis(np.broadcast_to(w, np.moveaxis(x, axis, -1).shape), -1, axis)
            save('w.npy', w)
        else:
            save('w.npy', y)
        arguments += ['--weights', 'w.npy']
    if pick(0, 1):
        mask = rng.integers(0, 3, shape).astype(pick('?', 'u1'))
        keep &= mask != 0
        save('m.npy', mask)
        arguments += ['--mask', 'm.npy']
    if pick(0, 0, 1):
        missing = int(rng.integers(-9, 10))
        keep &= x != missing
        if op == 'dot':
            keep &= y != missing
        arguments += ['--missing', missing]
    result = np.dtype({'f2': 'f4'}.get(dtype, dtype))
    if dtype == 'f2' and pick(0, 1):
        arguments += ['--result-type', 'input']
        result = np.dtype('f2')
    if dtype == 'f4' and pick(0, 0, 1):
        arguments += ['--wide']
        result = np.dtype('f8')
    if op in ('sumsq',) and is_complex:
        result = np.dtype({'c8': 'f4', 'c16': 'f8'}[dtype])
    level = pick('tree', 'kahan', 'compensated', 'exact')
    arguments += ['--accuracy', level]
    if pick(0, 0, 1):
        arguments += ['--chunk', int(rng.integers(1, 40))]
    if pick(0, 0, 1):
        arguments += ['--threads', int(rng.integers(1, 4))]
    if axis is not None:
        arguments += ['--axis', axis - pick(0, len(shape))]
    elif pick(0, 1):
        stride = int(pick(1, 2, 3, 5, -1, -2, -4, 100, -100))
        arguments += ['--stride', stride]
        x, y, keep = (a.reshape(-1)[::stride] for a in (x, y, keep))
    rest = () if axis is None else tuple(e for k, e in enumerate(shape) if k != axis)
    # a half mean is formed in binary32 and rounded once more; whole numbers make that exact elsewhere
    t = (lambda v: result.type(v)) if result.itemsize > 2 else None
    want = []
    for row, kept, other in zip(rows_of(x, axis), rows_of(keep, axis), rows_of(y, axis)):
        value = expected(op, row, kept, other, t or np.float32, 0)
        if t is None and value is not None and op[:3] != 'arg':
            value = np.float16(value)
        want.append(value)
    if level == 'exact' and 'mean' in op and result.itemsize == 2:
        return  # rounded once, straight to the half: not what NumPy was made to do above
    compare('%d %s %s %s' % (number, dtype, shape, ' '.join(map(str, arguments))), arguments, want, rest)


def rows_case():
    """Real numbers: every row has the bits of the program's own result on that row."""
    shape = tuple(int(e) for e in rng.permutation([int(rng.integers(1, 4)), int(rng.integers(2, 4)),
                                                   int(pick(15, 17, 33, 300, 4097))]))
    dtype = pick('f8', 'f4', 'f2')
    x = (rng.standard_normal(shape) * 10.0 ** rng.integers(-3, 4, shape)).astype(dtype)
    axis = int(rng.integers(3))
    mask = rng.integers(0, 4, shape) > 0
    np.moveaxis(mask, axis, 0)[0] = True  # no row is empty
    op = pick('sum', 'asum', 'sumsq', 'dot', 'nrm2', 'mean', 'var', 'std', 'max', 'argmin')
    common = ['--accuracy', pick('tree', 'kahan', 'compensated', 'exact'), '--output', 'bits']
    common += ['--ddof', 1] if op in ('var', 'std') else []
    masked = ['--mask', 'm.npy'] if pick(0, 1) else []
    save('x.npy', x)
    save('m.npy', mask)
    files = ['x.npy'] * (2 if op == 'dot' else 1)
    status, out, err = run(op, *files, *masked, *common, '--axis', axis)
    got = out.split('\n')
    rows, kept = rows_of(x, axis), rows_of(mask, axis)
    for i in {int(i) for i in rng.integers(0, len(rows), 8)} if status == 0 else {0}:
        np.save('x.npy', rows[i])
        np.save('m.npy', kept[i])
        alone = run(op, *files, *masked, *common)[1]
        report(status == 0 and got[i] + '\n' == alone, 'row %d of %s %s, axis %d: %s' % (
            i, dtype, shape, axis, ' '.join(map(str, [op, *masked, *common]))), '%s, not %s %s' % (got[i], alone, err))


def real_field():
    """Twelve months of sea surface temperature, -1e34 on land: each cell's mean, rounded once."""
    name = os.environ['examples'] + '/data/coads_sst_field.npy'
    field = np.load(name)
    keep = field != np.float32(-1e34)
    for level in 'exact', 'compensated':
        status, out, err = run('mean', name, '--missing', '-1e34', '--axis', 0, '--accuracy', level, '-o', 'o.npy')
        got = np.load('o.npy')
        report(status == 0 and got.shape == (90, 180) and got.dtype == np.float32, 'the real field, ' + level, err)
        empty = int((keep.sum(0) == 0).sum())
        report('in %d of 16200 rows' % empty in err and (np.isnan(got) == (keep.sum(0) == 0)).all(),
               'cells on land, ' + level, err)
        wrong = 0
        for i, j in np.argwhere(keep.sum(0) > 0):
            mean = sum(map(Fraction, field[keep[:, i, j], i, j].tolist())) / int(keep[:, i, j].sum())
            off = abs(Fraction(float(got[i, j])) - mean)
            unit = Fraction(float(np.spacing(np.abs(got[i, j]))))
            # exact: rounded once; else the sum and the quotient each to 2^-24
            wrong += off > (unit / 2 if level == 'exact' else abs(mean) * Fraction(1001, 1000) / 2 ** 23)
        report(wrong == 0, 'the means of its cells, ' + level, '%d are off' % wrong)


for i in range(120):
    random_case(i)
for i in range(30):
    rows_case()
real_field()
PYTHON
[ $? -eq 0 ] || fail "the comparison with NumPy" "it stopped"
tee -a results <report
finish
