/* What arena and a module agree on, for players in C: see docs/wasm.md. */

#define EXPORT(name) __attribute__((export_name(#name)))

/* Returns a number from 0 to n - 1, as arena draws it. */
__attribute__((import_module("arena"), import_name("random"))) int arena_random(int n);

#define MAX_TEXT 65536

static char arena_text[MAX_TEXT];

/* Arena writes what the player is told to where this says. */
EXPORT(buffer) char *buffer(int length) { return length <= MAX_TEXT ? arena_text : 0; }

/* Returns how many moves the first line of a text of this length has. */
static int count_moves(const char *text, int length) {
  int moves = 1;
  for (int i = 0; i < length && text[i] != '\n'; i++) moves += text[i] == ' ';
  return moves;
}

/* Returns the number of a move in the first line, from 0, or -1. */
static int move_number(const char *text, int length, const char *word) {
  int number = 0, begin = 0;
  for (int i = 0; i <= length; i++) {
    if (i < length && text[i] != ' ' && text[i] != '\n') continue;
    int n = 0;
    while (word[n] && begin + n < i && text[begin + n] == word[n]) n++;
    if (begin + n == i && !word[n]) return number;
    if (i == length || text[i] == '\n') break;
    number++, begin = i + 1;
  }
  return -1;
}
