/* Check a certificate of format 2: cc -O2 -o check check.c -llzma && ./check FILE
   Written from docs/certificates.md alone. It knows m,n,k games and connect games of at most 64 bits
   a key. Exit code 0: every claim holds; 1: one does not; 2: the file is not a certificate. */
#include <inttypes.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Bits;                        /* a set of squares; or a key */

static int columns, rows, k, drops, misere, squares;
static Bits lines[4096], full, bottom;
static int line_count;

static void stop(int code, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    vprintf(format, rest);
    puts("");
    exit(code);
}

/* ---- the xz stream ---- */
static FILE *file;
static lzma_stream xz = LZMA_STREAM_INIT;
static uint8_t packed[65536];
static int ended;

static size_t get(void *to, size_t size) {    /* bytes read: fewer only at the end */
    xz.next_out = to;
    xz.avail_out = size;
    while (xz.avail_out && !ended) {
        if (!xz.avail_in) {
            xz.next_in = packed;
            xz.avail_in = fread(packed, 1, sizeof packed, file);
        }
        size_t had = xz.avail_in;
        lzma_ret ret = lzma_code(&xz, LZMA_RUN);
        if (ret == LZMA_STREAM_END) ended = 1;
        else if (ret != LZMA_OK || !had) stop(2, "the xz stream is damaged or cut off");
    }
    return size - xz.avail_out;
}

static char *line_of_text(void) {
    static char text[4097];
    for (int i = 0; i < 4096; i++) {
        if (!get(text + i, 1)) stop(2, "the head does not end");
        if (text[i] == '\n') { text[i] = 0; return text; }
        if ((unsigned char)text[i] < 32 || text[i] == 127) stop(2, "the head has a control character");
    }
    stop(2, "a line of the head is too long");
    return text;
}

static char *value(const char *key) {
    char *line = line_of_text();
    size_t size = strlen(key);
    if (strncmp(line, key, size) || line[size] != ' ') stop(2, "no %s where it belongs: %s", key, line);
    return line + size + 1;
}

/* ---- the game ---- */
static void name_game(const char *name) {
    char again[64], base[64];
    size_t size = strlen(name);
    if (size > 50) stop(2, "unknown game");
    strcpy(base, name);
    misere = size > 7 && !strcmp(name + size - 7, "-misere");
    if (misere) base[size - 7] = 0;
    columns = rows = k = 3;
    if (!strcmp(base, "connect4")) columns = 7, rows = 6, k = 4, drops = 1;
    else if (sscanf(base, "connect-%2d-%2d-%2d", &columns, &rows, &k) == 3) drops = 1;
    else if (sscanf(base, "tictactoe-%2d", &k) == 1) columns = rows = k;
    else if (strcmp(base, "tictactoe") && sscanf(base, "mnk-%2d-%2d-%2d", &columns, &rows, &k) != 3)
        stop(2, "unknown game %s", name);
    if (columns < 1 || rows < 1 || k < 1 || columns > 20 || rows > 20 || (k > columns && k > rows))
        stop(2, "impossible board");
    if (drops && columns == 7 && rows == 6 && k == 4) strcpy(again, "connect4");
    else if (drops) sprintf(again, "connect-%d-%d-%d", columns, rows, k);
    else if (columns != rows || rows != k) sprintf(again, "mnk-%d-%d-%d", columns, rows, k);
    else if (k == 3) strcpy(again, "tictactoe");
    else sprintf(again, "tictactoe-%d", k);
    if (strcmp(again, base)) stop(2, "the game is called %s", again);
    squares = columns * rows;
    if ((drops ? columns * (rows + 1) : 2 * squares) > 64) stop(2, "the board is too large for this program");
}

static int bit(int column, int row) {         /* row 0 is the top in m,n,k, the bottom in connect */
    return drops ? column * (rows + 1) + row : row * columns + column;
}

static void make_lines(void) {
    static const int right[] = {1, 0, 1, -1}, down[] = {0, 1, 1, 1};
    for (int c = 0; c < columns; c++) {
        if (drops) bottom |= (Bits)1 << bit(c, 0);
        for (int r = 0; r < rows; r++) {
            full |= (Bits)1 << bit(c, r);
            for (int d = 0; d < 4; d++) {
                int x = c + right[d] * (k - 1), y = r + down[d] * (k - 1);
                if (x < 0 || x >= columns || y >= rows) continue;
                lines[line_count] = 0;
                for (int i = 0; i < k; i++)
                    lines[line_count] |= (Bits)1 << bit(c + right[d] * i, r + down[d] * i);
                line_count++;
            }
        }
    }
}

static int lined(Bits side) {
    for (int i = 0; i < line_count; i++)
        if ((side & lines[i]) == lines[i]) return 1;
    return 0;
}

static Bits landing(Bits taken, int move) {   /* the square that a move takes, or 0 */
    if (!drops) return ((Bits)1 << move) & full & ~taken;
    Bits column = (((Bits)1 << rows) - 1) << bit(move, 0);
    return (taken + bottom) & column;
}

static int moves(void) { return drops ? columns : squares; }

static void unpack(Bits key, Bits *side) {    /* side[0] is first, side[1] second */
    Bits taken = 0;
    if (!drops) {
        side[0] = squares == 64 ? 0 : key >> squares;
        side[1] = key & full;
        return;
    }
    for (int c = 0; c < columns; c++) {
        Bits column = key >> bit(c, 0) & (((Bits)2 << rows) - 1);
        int height = rows;
        while (!(column >> height & 1)) height--;
        taken |= (((Bits)1 << height) - 1) << bit(c, 0);
    }
    side[0] = key & taken;
    side[1] = taken & ~key;
}

static Bits pack(const Bits *side) {
    return drops ? side[0] | ((side[0] | side[1]) + bottom) : side[0] << squares | side[1];
}

static const char *shown(const Bits *side) {  /* a position as text */
    static char text[80];
    for (int i = 0; i < squares; i++) {
        Bits one = (Bits)1 << bit(i % columns, drops ? rows - 1 - i / columns : i / columns);
        text[i] = side[0] & one ? 'x' : side[1] & one ? 'o' : '_';
    }
    return text;
}

static int can_win(Bits mine, Bits taken) {   /* whether a move ends the game with a win of its side */
    for (int m = 0; !misere && m < moves(); m++) {
        Bits square = landing(taken, m);
        if (square && lined(mine | square)) return 1;
    }
    return 0;
}

/* ---- a section ---- */
static int ascending(const void *a, const void *b) {
    Bits x = *(const Bits *)a, y = *(const Bits *)b;
    return x < y ? -1 : x > y;
}

static Bits *next;                            /* the keys of the next ply */
static size_t next_count, next_room;

static void add(Bits mine, Bits theirs, int mover) {
    Bits side[2];
    side[mover] = mine;
    side[!mover] = theirs;
    if (next_count == next_room) next = realloc(next, (next_room = 2 * next_room + 64) * sizeof *next);
    if (!next) stop(2, "no memory");
    next[next_count++] = pack(side);
}

static void check(Bits start, int ply, int prover, int wins) {
    Bits *keys = malloc(sizeof *keys), side[2], safe[64], total = 0;
    size_t count = 1;
    keys[0] = start;
    for (; count; ply++) {
        int mover = ply & 1;
        uint32_t asked = 0, needed;
        uint8_t low[4], number;
        if (get(low, 4) < 4) stop(1, "ply %d has no record", ply);
        needed = low[0] | low[1] << 8 | low[2] << 16 | (uint32_t)low[3] << 24;
        next_count = 0;
        for (size_t i = 0; i < count; i++) {
            unpack(keys[i], side);
            Bits mine = side[mover], theirs = side[!mover], taken = mine | theirs;
            int over = lined(theirs), winner = over ? (misere ? mover : !mover) : -1, found = 0;
            if (over || taken == full) {
                if (winner != prover && (wins || winner >= 0)) stop(1, "the game ends at %s", shown(side));
                continue;
            }
            if (mover != prover) {
                for (int m = 0; m < moves(); m++)
                    if (landing(taken, m)) add(mine | landing(taken, m), theirs, mover);
                continue;
            }
            if (can_win(mine, taken)) continue;
            for (int m = 0; m < moves(); m++) {
                Bits square = landing(taken, m), after = mine | square;
                if (square && !(misere && lined(after)) && !can_win(theirs, taken | square)) safe[found++] = after;
            }
            number = 0;
            if (!found) stop(1, "no move is safe at %s", shown(side));
            if (found > 1 && (++asked > needed || !get(&number, 1))) stop(1, "ply %d has too few moves", ply);
            if (number >= found) stop(1, "move %d of %d safe ones at %s", number, found, shown(side));
            add(safe[number], theirs, mover);
        }
        if (asked != needed) stop(1, "ply %d has %" PRIu32 " moves, not %" PRIu32, ply, needed, asked);
        total += count;
        free(keys);
        qsort(next, next_count, sizeof *next, ascending);
        count = 0;
        for (size_t i = 0; i < next_count; i++)
            if (!i || next[i] != next[i - 1]) next[count++] = next[i];
        keys = next;
        next = NULL;
        next_room = 0;
    }
    free(keys);
    printf("%s %s: %" PRIu64 " positions\n", prover ? "second" : "first", wins ? "wins" : "does not lose", total);
}

static int claim_of(const char *text) {       /* 2 * side + wins */
    static const char *claims[] = {"first does not lose", "first wins", "second does not lose", "second wins"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(text, claims[i])) return i;
    stop(2, "unknown claim %s", text);
    return 0;
}

int main(int count, char **arguments) {
    if (count != 2 || !(file = fopen(arguments[1], "rb"))) stop(2, "usage: check FILE");
    if (lzma_stream_decoder(&xz, 32 << 20, 0) != LZMA_OK) stop(2, "no memory");
    if (strcmp(line_of_text(), "arena certificate 2")) stop(2, "not a certificate of format 2");
    name_game(value("game"));
    if (strcmp(value("version"), "1")) stop(2, "another version of the rules");
    make_lines();
    char *text = value("start");
    Bits side[2] = {0, 0};
    if (strlen(text) != (size_t)squares) stop(2, "the start has another number of squares");
    for (int i = 0; i < squares; i++) {
        Bits one = (Bits)1 << bit(i % columns, drops ? rows - 1 - i / columns : i / columns);
        if (!strchr("xo_", text[i])) stop(2, "the start has another letter");
        if (text[i] != '_') side[text[i] == 'o'] |= one;
    }
    Bits taken = side[0] | side[1];
    int ply = __builtin_popcountll(taken), ahead = 2 * __builtin_popcountll(side[0]) - ply;
    if (ahead < 0 || ahead > 1 || lined(side[0]) || lined(side[1]) || taken == full
        || (drops && taken & ~(bottom | taken << 1))) stop(2, "impossible start");
    int first = claim_of(value("claim")), second = -1;
    char *line = line_of_text();
    if (!first && !strncmp(line, "claim ", 6)) {
        if ((second = claim_of(line + 6)) != 2) stop(2, "these claims are not those of a draw");
        line = line_of_text();
    }
    if (strncmp(line, "source ", 7)) stop(2, "no source where it belongs: %s", line);
    value("program");
    value("assumes");
    if (*line_of_text()) stop(2, "the head does not end");
    check(pack(side), ply, first >> 1, first & 1);
    if (second >= 0) check(pack(side), ply, 1, 0);
    if (get(side, 1) || xz.avail_in || fgetc(file) != EOF) stop(2, "the file goes on after its end");
    return 0;
}
