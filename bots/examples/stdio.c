/* A whole bot in C. It needs no library: it reads lines of JSON from standard input and prints answers.
 *
 * Change `choose`. Print everything else to standard error: it is kept in the bot's log.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_looked_at; /* true if spectators watch: answers may carry layers over the board */
static uint64_t chance; /* draw from this only: a rerun then plays the same match */

/* Return a legal action, a text in its quotes; `message` has all that this seat may know. */
static int choose(const char *message, char *const *legal, int count) {
    (void)message;
    (void)legal;
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return (int)(chance % (uint64_t)count);
}

/* Return what follows the last `"key":` of a message, or NULL. Lines have no blanks outside texts. */
static char *value_of(char *message, const char *key) {
    char *found = NULL;
    for (char *at = message; (at = strstr(at, key)) != NULL;) found = at += strlen(key);
    return found;
}

/* Return the texts of a list, with their quotes; it cuts the list into pieces. */
static char **texts_of(char *list, int *count) {
    char **texts = NULL;
    *count = 0;
    for (char *at = list; *at == '"' || *at == ',';) {
        char *first = *at == ',' ? at + 1 : at, *last = first + 1;
        while (*last != '"') last += *last == '\\' ? 2 : 1;
        texts = realloc(texts, sizeof *texts * (size_t)(*count + 1));
        texts[(*count)++] = strndup(first, (size_t)(last - first) + 1);
        at = last + 1;
    }
    return texts;
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        char *legal = value_of(line, "\"legal\":["), *seed = value_of(line, "\"bot_seed\":");
        if (strncmp(line, "{\"type\":\"hello\"", 15) == 0 || strncmp(line, "{\"type\":\"start\"", 15) == 0) {
            if (seed != NULL) chance = strtoull(seed, NULL, 10) * 2 + 1; /* prepare here: not on the turn's time */
            is_looked_at = value_of(line, "\"lens\":true") != NULL;
            printf("{\"type\":\"ready\",\"version\":\"1\",\"language\":\"c\"}\n");
        } else if (strncmp(line, "{\"type\":\"turn\"", 14) == 0 && legal != NULL) {
            int count;
            char **actions = texts_of(legal, &count);
            const char *action = actions[choose(line, actions, count)];
            printf("{\"action\":%s", action);
            /* kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data */
            if (is_looked_at) printf(",\"shown\":[{\"name\":\"choice\",\"kind\":\"text\",\"data\":%s}]", action);
            printf("}\n");
            while (count > 0) free(actions[--count]);
            free(actions);
        }
        fflush(stdout); /* otherwise the answer waits in a buffer */
    }
    free(line);
    return 0;
}
