/* Plays tic-tac-toe perfectly: wins as soon and loses as late as it can.

   Build it and play it with

       cc -O2 -o perfect perfect.c
       arena fight cmd:./perfect monkey

   The arena's lines are JSON objects. A few of their values are enough here, so they are looked
   for by name, and no library is needed. At other games it makes the first legal move. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES = 9, WORST = -SQUARES - 2 };

static const int LINES[8][3] = {
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6},
};

/* Whether a side has a line. */
static int has_won(const char *board, char side)
{
    for (int i = 0; i < 8; i++)
        if (board[LINES[i][0]] == side && board[LINES[i][1]] == side && board[LINES[i][2]] == side)
            return 1;
    return 0;
}

/* What the board is worth to the side that is to move, and in *square its best move.

   A win is worth one more than the squares that it leaves free, a loss as much less than nothing. */
static int solve(char *board, char side, int *square)
{
    char other = side == 'x' ? 'o' : 'x';
    int left = 0, best = WORST;
    for (int s = 0; s < SQUARES; s++)
        left += board[s] == '_';
    if (has_won(board, other))
        return -(left + 1);
    if (left == 0)
        return 0;
    for (int s = 0; s < SQUARES; s++) {
        int worth, ignored;
        if (board[s] != '_')
            continue;
        board[s] = side;
        worth = -solve(board, other, &ignored);
        board[s] = '_';
        if (worth > best) {
            best = worth;
            *square = s;
        }
    }
    return best;
}

/* The side that is to move: x, when both have as many marks. */
static char to_move(const char *board)
{
    int ahead = 0;
    for (int s = 0; s < SQUARES; s++)
        ahead += (board[s] == 'x') - (board[s] == 'o');
    return ahead == 0 ? 'x' : 'o';
}

/* Where the value of that name begins in a line, or NULL. */
static const char *find(const char *line, const char *name)
{
    const char *at = line;
    while ((at = strchr(at, '"')) != NULL) {
        const char *word = ++at, *colon;
        while (*at != '"' && *at != '\0') /* a backslash hides the character that follows it */
            at += *at == '\\' && at[1] != '\0' ? 2 : 1;
        if (*at == '\0')
            return NULL;
        colon = at + 1 + strspn(at + 1, " ");
        if (*colon == ':' && strlen(name) == (size_t)(at - word)
            && strncmp(word, name, strlen(name)) == 0)
            return colon + 1 + strspn(colon + 1, " ");
        at++;
    }
    return NULL;
}

/* Copy the string that begins here; whether there is one, and room for it. */
static int copy(const char *from, char *to, size_t room)
{
    size_t length;
    if (from == NULL || *from != '"')
        return 0;
    length = strcspn(from + 1, "\"");
    if (from[length + 1] != '"' || length >= room)
        return 0;
    memcpy(to, from + 1, length);
    to[length] = '\0';
    return 1;
}

/* Whether the value of that name is that string. */
static int is(const char *line, const char *name, const char *text)
{
    char found[32];
    return copy(find(line, name), found, sizeof found) && strcmp(found, text) == 0;
}

/* Answer a line that asks for a move; whether it could be understood. */
static int answer(const char *line, int is_tictactoe)
{
    char board[SQUARES + 1], move[32];
    const char *id = find(line, "id"), *legal = find(line, "legal");
    if (id == NULL || legal == NULL || *legal != '[')
        return 0;
    if (is_tictactoe) {
        int square = 0;
        if (!copy(find(line, "position"), board, sizeof board) || strlen(board) != SQUARES)
            return 0;
        solve(board, to_move(board), &square);
        snprintf(move, sizeof move, "%d", square + 1);
    } else if (!copy(legal + 1 + strspn(legal + 1, " "), move, sizeof move)) {
        return 0;
    }
    printf("{\"id\": %ld, \"move\": \"%s\"}\n", strtol(id, NULL, 10), move);
    fflush(stdout); /* or else it would wait in a buffer */
    return 1;
}

int main(void)
{
    static char line[1 << 16]; /* no line is longer */
    int is_tictactoe = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (is(line, "type", "start"))
            is_tictactoe = is(line, "game", "tictactoe");
        if (is(line, "type", "move") && !answer(line, is_tictactoe)) {
            fprintf(stderr, "not understood: %s", line); /* this is the log */
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
