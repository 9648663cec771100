/* Lines of N-Quads by the block, compiled: what lines.py does in Python, several times as fast.

   One function, runs(block, kind): it takes a block of whole lines apart and gives a list of tuples
   (subject, page, key, lines), one for each run of lines of one subject on one page, as lines.py describes it.

   A line is taken only where every term of it is one by the grammar of W3C N-Quads 1.1 and its bytes are UTF-8; of the
   rarer forms (escapes in IRIs, letters beyond ASCII in labels, comments, triples, faults) none is: such a line is given
   as it stands, for quads.py to read. So that nothing here has to be right about them, and nothing here copies more than
   what it read.

   Every loop stops at a line feed, and a block is refused that does not end with one: no read passes its end. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

typedef unsigned char byte;

enum {
    IRI = 1,      /* may stand in an IRI: all but control characters, space and <>"{}|^`\ */
    LABEL = 2,    /* may stand in a blank node's label, full stops apart */
    FIRST = 4,    /* may begin one */
    TEXT = 8,     /* may stand in a literal as it is */
    LETTER = 16,
    WORD = 32,    /* letter or digit */
    HEX = 64,
};

static byte classes[256]; /* of bytes below 128; those above are looked at as UTF-8 */

static void
fill_classes(void)
{
    for (int c = 0; c < 128; c++) {
        int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        int digit = c >= '0' && c <= '9';
        byte found = 0;
        if (c > ' ' && strchr("<>\"{}|^`\\", c) == NULL)
            found |= IRI;
        if (letter || digit || c == '_' || c == ':')
            found |= LABEL | FIRST;
        if (c == '-')
            found |= LABEL;
        if (c != '"' && c != '\\' && c != '\n' && c != '\r')
            found |= TEXT;
        if (letter)
            found |= LETTER | WORD;
        if (digit)
            found |= WORD;
        if (digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
            found |= HEX;
        classes[c] = found;
    }
}

/* How many bytes of UTF-8 one character beyond ASCII takes; 0 where they are none (Unicode 15, table 3-7).
   Only the bytes of the character are looked at, and each only where the one before it may be followed: a line feed,
   which follows none, is never passed. */
static inline int
wide(const byte *p)
{
    byte a = p[0];
    if (a < 0xC2 || a > 0xF4)
        return 0;
    byte low = a == 0xE0 ? 0xA0 : a == 0xF0 ? 0x90 : 0x80;
    byte high = a == 0xED ? 0x9F : a == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high)
        return 0;
    if (a < 0xE0)
        return 2;
    if ((p[2] & 0xC0) != 0x80)
        return 0;
    if (a < 0xF0)
        return 3;
    return (p[3] & 0xC0) == 0x80 ? 4 : 0;
}

/* Past all characters of a class, those beyond ASCII included. */
static inline const byte *
past(const byte *p, byte class)
{
    for (;;) {
        while (classes[*p] & class)
            p++;
        int more = *p < 0x80 ? 0 : wide(p);
        if (more == 0)
            return p;
        p += more;
    }
}

/* Each of these: past the term that begins here; NULL where none does that is of a form known here. */

static inline const byte *
iri(const byte *p)
{
    if (*p != '<')
        return NULL;
    p = past(p + 1, IRI);
    return *p == '>' ? p + 1 : NULL;
}

static inline const byte *
blank(const byte *p)
{
    if (p[0] != '_' || p[1] != ':' || !(classes[p[2]] & FIRST))
        return NULL;
    p += 3;
    for (;;) {
        while (classes[*p] & LABEL)
            p++;
        const byte *dots = p;
        while (*p == '.')
            p++;
        if (*p >= 0x80)
            return NULL;
        if (p == dots || !(classes[*p] & LABEL))
            return dots; /* a label does not end with a full stop */
    }
}

static inline const byte *
node(const byte *p)
{
    return *p == '<' ? iri(p) : blank(p);
}

static inline const byte *
spaces(const byte *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

static const byte *
literal(const byte *p)
{
    if (*p != '"')
        return NULL;
    p++;
    for (;;) {
        p = past(p, TEXT);
        if (*p == '"')
            break;
        if (*p != '\\')
            return NULL;
        p++;
        int digits = *p == 'u' ? 4 : *p == 'U' ? 8 : 0;
        if (digits == 0 && (*p == '\0' || strchr("tbnrf\"'\\", *p) == NULL))
            return NULL;
        p++;
        for (; digits > 0; digits--, p++)
            if (!(classes[*p] & HEX))
                return NULL;
    }
    p++;
    if (p[0] == '^')
        return p[1] == '^' ? iri(p + 2) : NULL;
    if (p[0] == '@') {
        byte class = LETTER;
        do {
            p++;
            if (!(classes[*p] & class))
                return NULL;
            while (classes[*p] & class)
                p++;
            class = WORD;
        } while (*p == '-');
    }
    return p;
}

/* A piece of the block. */
typedef struct {
    const byte *start;
    Py_ssize_t size;
} piece;

static inline int
begins_with(const byte *p, const byte *end, piece what)
{
    return end - p >= what.size && memcmp(p, what.start, (size_t)what.size) == 0;
}

static inline int
same(piece a, piece b)
{
    return a.size == b.size && memcmp(a.start, b.start, (size_t)a.size) == 0;
}

typedef struct {
    piece subject, predicate, object, page;
    const byte *next; /* the line that follows */
} quad;

/* Reads the line at p; 0 where it is none of the forms known here. What is known of the line before makes it quick:
   the same terms in the same places need not be read again. */
static inline int
read_quad(const byte *p, const byte *end, const quad *before, quad *found)
{
    const byte *q;
    p = spaces(p);
    if (before != NULL && begins_with(p, end, before->subject) && p[before->subject.size] == ' ')
        q = p + before->subject.size;
    else if ((q = node(p)) == NULL)
        return 0;
    found->subject = (piece){p, q - p};
    p = spaces(q);
    if ((q = iri(p)) == NULL)
        return 0;
    found->predicate = (piece){p, q - p};
    p = spaces(q);
    if ((q = *p == '"' ? literal(p) : node(p)) == NULL)
        return 0;
    found->object = (piece){p, q - p};
    p = spaces(q);
    if (before != NULL && begins_with(p, end, before->page) && p[before->page.size] == ' ')
        q = p + before->page.size;
    else if ((q = node(p)) == NULL)
        return 0;
    found->page = (piece){p, q - p};
    if (p[0] == '<' && p[1] == '_' && p[2] == ':')
        return 0; /* what page_of in quads.py says of these is said there only */
    p = spaces(q);
    if (*p != '.')
        return 0;
    p++;
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    if (*p != '\n')
        return 0;
    found->next = p + 1;
    return 1;
}

/* The key of a run as it grows. */
typedef struct {
    char *start;
    Py_ssize_t size, room;
} buffer;

static int
append(buffer *into, const char *mark, piece what)
{
    Py_ssize_t needed = into->size + what.size + 2;
    if (needed > into->room) {
        Py_ssize_t room = needed + needed / 2 + 256;
        char *start = PyMem_Realloc(into->start, (size_t)room);
        if (start == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        into->start = start;
        into->room = room;
    }
    for (; *mark; mark++)
        into->start[into->size++] = *mark;
    memcpy(into->start + into->size, what.start, (size_t)what.size);
    into->size += what.size;
    return 0;
}

/* Steals nothing of what it is given; -1 where it fails. */
static int
add(PyObject *list, PyObject *subject, PyObject *page, PyObject *key, Py_ssize_t lines)
{
    PyObject *number = PyLong_FromSsize_t(lines);
    PyObject *run = number != NULL && subject != NULL && key != NULL ? PyTuple_Pack(4, subject, page, key, number) : NULL;
    int status = run == NULL ? -1 : PyList_Append(list, run);
    Py_XDECREF(run);
    Py_XDECREF(number);
    return status;
}

static inline PyObject *
bytes_of(piece what)
{
    return PyBytes_FromStringAndSize((const char *)what.start, what.size);
}

/* The page that a term names; see page_of in quads.py: there are no escapes here. */
static inline piece
named(piece term)
{
    return term.start[0] == '<' ? (piece){term.start + 1, term.size - 2} : term;
}

PyDoc_STRVAR(runs_doc,
"runs(block, kind, /)\n--\n\n"
"Runs of lines of one subject on one page: a list of (subject, page, key, lines); see schemaproof.sampling.lines.\n\n"
"Arguments:\n"
"    block: whole lines of N-Quads; its last byte is a line feed.\n"
"    kind: the token of rdf:type.\n\n"
"Raises: ValueError where the block does not end with a line feed.");

static PyObject *
runs(PyObject *module, PyObject *args)
{
    PyObject *block;
    Py_ssize_t kind_size;
    const char *kind_start;
    if (!PyArg_ParseTuple(args, "Sy#", &block, &kind_start, &kind_size))
        return NULL;
    piece kind = {(const byte *)kind_start, kind_size};
    const byte *p = (const byte *)PyBytes_AS_STRING(block);
    const byte *end = p + PyBytes_GET_SIZE(block);
    if (p == end || end[-1] != '\n') {
        PyErr_SetString(PyExc_ValueError, "a block ends with a line feed");
        return NULL;
    }
    PyObject *list = PyList_New(0);
    PyObject *nothing = PyBytes_FromStringAndSize("", 0);
    PyObject *page = NULL; /* of the run before */
    buffer key = {NULL, 0, 0};
    quad now, last;
    piece token = {NULL, 0};
    int read = -1; /* whether the line at p was read: -1 not yet, 0 it is of no form known here, 1 it stands in now */
    if (list == NULL || nothing == NULL)
        goto failed;
    while (p < end) {
        if (read < 0)
            read = read_quad(p, end, NULL, &now);
        if (!read) {
            const byte *stop = memchr(p, '\n', (size_t)(end - p));
            PyObject *line = bytes_of((piece){p, stop - p});
            int status = add(list, line, nothing, nothing, 1);
            Py_XDECREF(line);
            if (status < 0)
                goto failed;
            p = stop + 1;
            read = -1;
            continue;
        }
        quad first = now;
        Py_ssize_t lines = 0;
        int typed = 0;
        key.size = 0;
        for (;;) {
            int was_typed = typed;
            piece former = token;
            typed = same(now.predicate, kind) && now.object.start[0] == '<';
            token = typed ? now.object : now.predicate;
            /* Lists repeat one predicate: once is enough, and makes runs alike. */
            if (lines == 0 || typed != was_typed || !same(token, former))
                if (append(&key, typed ? (lines ? " a" : "a") : (lines ? " " : ""), token) < 0)
                    goto failed;
            lines++;
            last = now;
            p = now.next;
            read = -1;
            if (p == end)
                break;
            read = read_quad(p, end, &last, &now);
            if (!read || !same(now.subject, first.subject) || !same(now.page, first.page))
                break;
        }
        piece name = named(first.page);
        if (page == NULL || PyBytes_GET_SIZE(page) != name.size
            || memcmp(PyBytes_AS_STRING(page), name.start, (size_t)name.size) != 0) {
            Py_XDECREF(page);
            page = bytes_of(name);
            if (page == NULL)
                goto failed;
        }
        PyObject *subject = bytes_of(first.subject);
        PyObject *joined = PyBytes_FromStringAndSize(key.start, key.size);
        int status = add(list, subject, page, joined, lines);
        Py_XDECREF(subject);
        Py_XDECREF(joined);
        if (status < 0)
            goto failed;
    }
    Py_XDECREF(page);
    Py_DECREF(nothing);
    PyMem_Free(key.start);
    return list;
failed:
    Py_XDECREF(page);
    Py_XDECREF(nothing);
    Py_XDECREF(list);
    PyMem_Free(key.start);
    return NULL;
}

static PyMethodDef methods[] = {
    {"runs", runs, METH_VARARGS, runs_doc},
    {NULL, NULL, 0, NULL},
};

static int
begin(PyObject *module)
{
    fill_classes();
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, begin},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED}, /* the classes are all there is, and stand before anything is read */
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_runs", NULL, 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__runs(void)
{
    return PyModuleDef_Init(&definition);
}
