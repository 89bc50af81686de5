/* Plays Kuhn poker by an equilibrium: nobody can win from it in the long run.

   Build it and play it with

       cc -O2 -o poker poker.c
       arena fight cmd:./poker monkey --game kuhn

   The arena tells what the player knows, its observation: its seat, its card, and what both have
   done, as in "0: K pass bet | pass bet". Behind the bar are its legal moves. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A third of the numbers that this draws, one after the other, are true. */
static int one_in_three(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (*state >> 33) % 3 == 0;
}

/* Whether to bet with a card, or to call a bet, after these moves. */
static int bets(char card, const char *moves, unsigned long long *state)
{
    int is_asked = strcmp(moves, "bet") == 0 || strcmp(moves, "pass bet") == 0;
    if (card == 'K')
        return 1;
    if (card == 'J')
        return !is_asked && one_in_three(state);
    if (strcmp(moves, "bet") == 0)
        return one_in_three(state);
    if (strcmp(moves, "pass bet") == 0)
        return !one_in_three(state);
    return 0;
}

/* Copies the text of a value, from behind its name up to one of the ends. */
static void take(const char *line, const char *name, const char *ends, char *text, size_t size)
{
    const char *begin = strstr(line, name);
    size_t length = 0;
    if (begin != NULL) {
        begin += strlen(name);
        length = strcspn(begin, ends);
    }
    if (length >= size)
        length = size - 1;
    memcpy(text, begin == NULL ? "" : begin, length);
    text[length] = '\0';
}

int main(void)
{
    static char line[65536];
    unsigned long long state = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        char number[24], observation[64];
        if (strstr(line, "\"type\": \"start\"") != NULL) {
            take(line, "\"seed\": ", ",}", number, sizeof number);
            state = strtoull(number, NULL, 10);
        } else if (strstr(line, "\"type\": \"move\"") != NULL) {
            char *moves, *end;
            take(line, "\"id\": ", ",}", number, sizeof number);
            take(line, "\"observation\": \"", "\"", observation, sizeof observation);
            moves = strlen(observation) > 4 ? observation + 4 : observation; /* behind "0: K" */
            end = strchr(moves, '|');
            if (end != NULL)
                *end = '\0';
            while (*moves == ' ')
                moves++;
            while (*moves != '\0' && moves[strlen(moves) - 1] == ' ')
                moves[strlen(moves) - 1] = '\0';
            printf("{\"id\": %s, \"move\": \"%s\"}\n", number,
                   bets(observation[3], moves, &state) ? "bet" : "pass");
            fflush(stdout);
        }
    }
    return 0;
}
