/* Check a certificate of format 2: cc -O2 -o check check.c -llzma && ./check FILE
   Written from docs/certificates.md. It knows m,n,k and connect games whose keys have 64 bits or less.
   Exit code 0: every claim holds; 1: one does not; 2: the file is not a certificate of such a game. */
#include <lzma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Bits; /* a set of squares, or a key */
static int columns, rows, k, drops, misere, squares, moves, line_count;
static Bits lines[1024], full, bottom;
static FILE *file;
static lzma_stream xz = LZMA_STREAM_INIT;
#define stop(code, ...) (printf(__VA_ARGS__), puts(""), exit(code))

static size_t get(void *to, size_t size) { /* Returns the bytes read: fewer only at the end. */
    static uint8_t packed[65536];
    static int ended;
    for (xz.next_out = to, xz.avail_out = size; xz.avail_out && !ended;) {
        if (!xz.avail_in) xz.avail_in = fread(packed, 1, sizeof packed, file), xz.next_in = packed;
        int had = xz.avail_in > 0, ret = lzma_code(&xz, LZMA_RUN);
        if (ret == LZMA_STREAM_END) ended = 1;
        else if (ret != LZMA_OK || !had) stop(2, "the xz stream is damaged or cut off");
    }
    return size - xz.avail_out;
}

static char *line(const char *key) { /* Returns the next line; it begins with the key. */
    static char text[4097];
    for (int i = 0; i < 4096 && get(text + i, 1); i++) {
        if (text[i] >= 32 && text[i] <= 126) continue;
        if (text[i] != '\n') break;
        text[i] = 0;
        if (strncmp(text, key, strlen(key))) stop(2, "the head has '%s' where '%s' belongs", text, key);
        return text;
    }
    stop(2, "the head is not text, or does not end");
}

/* A bitboard has the bits of the page: row 0 is the top of m,n,k and the bottom of connect. */
static int bit(int column, int row) { return drops ? column * (rows + 1) + row : row * columns + column; }

static void read_game(char *name) {
    char again[64], *end = strstr(name, "-misere");
    if (end && !end[7]) misere = 1, *end = 0;
    columns = rows = k = 3;
    if (!strcmp(name, "connect4")) drops = 1, columns = 7, rows = 6, k = 4;
    else if (sscanf(name, "connect-%2d-%2d-%2d", &columns, &rows, &k) == 3) drops = 1;
    else if (sscanf(name, "tictactoe-%2d", &k) == 1) columns = rows = k;
    else sscanf(name, "mnk-%2d-%2d-%2d", &columns, &rows, &k);
    if (drops && columns == 7 && rows == 6 && k == 4) strcpy(again, "connect4");
    else if (drops || columns != rows || rows != k)
        sprintf(again, "%s-%d-%d-%d", drops ? "connect" : "mnk", columns, rows, k);
    else sprintf(again, k == 3 ? "tictactoe" : "tictactoe-%d", k);
    if (strcmp(again, name)) stop(2, "no game here is called %s", name);
    if (columns < 1 || rows < 1 || k < 1 || (k > columns && k > rows)) stop(2, "impossible board");
    squares = columns * rows, moves = drops ? columns : squares;
    if (squares + moves > 64) stop(2, "the board is too large for this program");
}

static void make_lines(void) {
    static const int right[] = {1, 0, 1, -1}, down[] = {0, 1, 1, 1};
    for (int i = 0; i < squares; i++) {
        int c = i % columns, r = i / columns;
        full |= (Bits)1 << bit(c, r);
        if (drops && !r) bottom |= (Bits)1 << bit(c, r);
        for (int d = 0; d < 4; d++) {
            int last = c + right[d] * (k - 1);
            if (last < 0 || last >= columns || r + down[d] * (k - 1) >= rows) continue;
            for (int j = 0; j < k; j++) lines[line_count] |= (Bits)1 << bit(c + right[d] * j, r + down[d] * j);
            line_count++;
        }
    }
}

static int lined(Bits side) {
    for (int i = 0; i < line_count; i++)
        if ((side & lines[i]) == lines[i]) return 1;
    return 0;
}
static Bits landing(Bits taken, int move) { /* Returns the square that a move takes, or 0. */
    if (!drops) return (Bits)1 << move & ~taken;
    return (taken + bottom) & (((Bits)1 << rows) - 1) << bit(move, 0);
}
static int can_win(Bits mine, Bits taken) { /* Returns whether a side to move wins at once. */
    for (int m = 0; !misere && m < moves; m++)
        if (landing(taken, m) && lined(mine | landing(taken, m))) return 1;
    return 0;
}

static Bits key_of(const Bits *side) { /* side[0] is first, side[1] is second. */
    return drops ? side[0] | ((side[0] | side[1]) + bottom) : side[0] << squares | side[1];
}
static void unpack(Bits key, Bits *side) {
    Bits taken = drops ? 0 : key >> squares | (key & full);
    for (int c = 0; drops && c < columns; c++) {
        int height = rows;
        while (!(key >> bit(c, height) & 1)) height--;
        taken |= (((Bits)1 << height) - 1) << bit(c, 0);
    }
    side[0] = drops ? key & taken : key >> squares;
    side[1] = taken ^ side[0];
}

static int square_of_text(int i) { return bit(i % columns, drops ? rows - 1 - i / columns : i / columns); }
static const char *shown(const Bits *side) {
    static char text[65];
    for (int i = 0; i < squares; i++)
        text[i] = side[0] >> square_of_text(i) & 1 ? 'x' : side[1] >> square_of_text(i) & 1 ? 'o' : '_';
    return text;
}

static Bits read_start(const char *text, int *ply) {
    Bits side[2] = {0, 0};
    if (strlen(text) != (size_t)squares) stop(2, "the start has another number of squares");
    for (int i = *ply = 0; i < squares; i++)
        if (!strchr("xo_", text[i])) stop(2, "the start has another letter");
        else if (text[i] != '_') side[text[i] == 'o'] |= (Bits)1 << square_of_text(i), ++*ply;
    Bits taken = side[0] | side[1], hanging = drops ? taken & ~(bottom | taken << 1) : 0;
    int ahead = 2 * __builtin_popcountll(side[0]) - *ply;
    if (ahead < 0 || ahead > 1 || hanging || taken == full || lined(side[0]) || lined(side[1]))
        stop(2, "the start is not a position, or the game is over");
    return key_of(side);
}

static int ascending(const void *a, const void *b) {
    Bits x = *(const Bits *)a, y = *(const Bits *)b;
    return x < y ? -1 : x > y;
}

static void check(Bits start, int ply, int prover, int wins) {
    Bits *keys = malloc(sizeof *keys), side[2], safe[64], total = 0;
    size_t count = 1;
    for (keys[0] = start; count; ply++) {
        int mover = ply & 1;
        Bits *next = malloc(count * (mover == prover ? 1 : moves) * sizeof *next);
        size_t asked = 0, size = 0;
        uint8_t low[4], number = 0;
        if (!next) stop(2, "no memory for ply %d", ply);
        if (get(low, 4) < 4) stop(1, "ply %d has no record", ply);
        size_t recorded = low[0] | low[1] << 8 | low[2] << 16 | (size_t)low[3] << 24;
        for (size_t i = 0; i < count; i++) {
            unpack(keys[i], side);
            Bits *mine = &side[mover], theirs = side[!mover], before = *mine, taken = before | theirs, square;
            int over = lined(theirs), won = over && (misere ? mover : !mover) == prover, found = 0;
            if ((over && !won) || (!over && wins && taken == full)) stop(1, "the game ends at %s", shown(side));
            if (over || taken == full || (mover == prover && can_win(before, taken))) continue;
            for (int m = 0; m < moves; m++) {
                if (!(square = landing(taken, m))) continue;
                *mine = before | square;
                if (mover != prover) next[size++] = key_of(side);
                else if (!(misere && lined(*mine)) && !can_win(theirs, taken | square)) safe[found++] = key_of(side);
            }
            *mine = before;
            if (mover != prover) continue;
            if (!found) stop(1, "no move is safe at %s", shown(side));
            if (found > 1 && (++asked > recorded || !get(&number, 1))) stop(1, "ply %d has too few moves", ply);
            if (found > 1 && number >= found) stop(1, "move %d of %d at %s", number, found, shown(side));
            next[size++] = safe[found > 1 ? number : 0];
        }
        if (asked != recorded) stop(1, "ply %d has %zu moves, not %zu", ply, recorded, asked);
        total += count;
        free(keys);
        keys = next;
        qsort(keys, size, sizeof *keys, ascending);
        for (size_t i = count = 0; i < size; i++)
            if (!i || keys[i] != keys[i - 1]) keys[count++] = keys[i];
    }
    printf("%s %s: %zu positions\n", prover ? "second" : "first", wins ? "wins" : "does not lose", (size_t)total);
}

static int claim_of(const char *text) { /* Returns twice the side, and one more if it wins. */
    static const char *claims[] = {"first does not lose", "first wins", "second does not lose", "second wins"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(text, claims[i])) return i;
    stop(2, "the claim '%s' is not one of the format", text);
}

int main(int count, char **arguments) {
    int ply, claim;
    if (count != 2 || !(file = fopen(arguments[1], "rb"))) stop(2, "usage: check FILE");
    if (lzma_stream_decoder(&xz, 32 << 20, 0) != LZMA_OK) stop(2, "no memory");
    if (strcmp(line("arena certificate "), "arena certificate 2")) stop(2, "the file has another format");
    read_game(line("game ") + 5);
    make_lines();
    if (strcmp(line("version "), "version 1")) stop(2, "the rules here are of version 1");
    Bits start = read_start(line("start ") + 6, &ply);
    claim = claim_of(line("claim ") + 6);
    char *next = line("");
    int draw = !claim && !strcmp(next, "claim second does not lose");
    if (strncmp(draw ? line("") : next, "source ", 7)) stop(2, "no source, or claims of no draw");
    line("program "), line("assumes ");
    if (*line("")) stop(2, "the head does not end");
    check(start, ply, claim >> 1, claim & 1);
    if (draw) check(start, ply, 1, 0);
    if (get(&claim, 1) || xz.avail_in || fgetc(file) != EOF) stop(2, "the file goes on after its last section");
    return 0;
}
