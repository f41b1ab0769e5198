/* A whole bot in C. It needs no library: it reads lines of JSON from standard input and prints answers.
 *
 * In bomber it searches breadth first; in other games it answers at random. Change `choose`. Print everything else to
 * standard error: it is kept in the bot's log.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAKEN = 1, BOMB = 2, DANGER = 4, SOON = 8, WANTED = 16, BESIDE = 32 }; /* what is known of a cell */
static const char *const STEPS[] = {"\"up\"", "\"down\"", "\"left\"", "\"right\""};
static const int DX[] = {0, 0, -1, 1}, DY[] = {-1, 1, 0, 0};

static int is_looked_at; /* true if spectators watch: answers may carry layers over the board */
static uint64_t chance;  /* draw from this only: a rerun then plays the same match */
static int width, height, reach, here;
static unsigned char *board, *bombs_before; /* cell = y * width + x */

/* A JSON reader for lines without blanks outside texts. Return the place behind a text in quotes. */
static const char *text_end(const char *at) {
    for (at++; *at != '"'; at++)
        if (*at == '\\') at++;
    return at + 1;
}

/* Return the place behind the value at `at`. */
static const char *value_end(const char *at) {
    int depth = 0;
    do {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at = *at == '"' ? text_end(at) : at + 1;
    } while (depth > 0 || strchr(",]}\n", *at) == NULL);
    return at;
}

/* Return the value of a key in the object at `at`, or NULL. */
static const char *get(const char *at, const char *key) {
    size_t length = strlen(key);
    for (at++; *at == '"'; at += *at == ',') {
        const char *value = text_end(at) + 1;
        if (strncmp(at + 1, key, length) == 0 && at[length + 1] == '"') return value;
        at = value_end(value);
    }
    return NULL;
}

/* Run a block for each value of a list. */
#define EACH(value, list) for (const char *value = (list) + 1; *value != ']'; value = value_end(value), value += *value == ',')

static void mark(int x, int y, int flags) {
    if (x >= 0 && y >= 0 && x < width && y < height) board[y * width + x] |= (unsigned char)flags;
}

/* Mark a place [x,y]; return its cell. */
static int mark_place(const char *place, int flags) {
    char *rest;
    int x = (int)strtol(place + 1, &rest, 10), y = (int)strtol(rest + 1, NULL, 10);
    mark(x, y, flags);
    return y * width + x;
}

/* Mark the cells that a bomb's fire may reach; walls are ignored. */
static void mark_blast(int cell, int flags) {
    for (int step = 0; step < 4; step++)
        for (int far = 0; far <= reach; far++) mark(cell % width + far * DX[step], cell / width + far * DY[step], flags);
}

/* Return the first step (from 1) of a shortest path to a cell that has, or lacks, the flags; 0 here, -1 no path. */
static int first_step(int avoid, int flags, int has) {
    int cells = width * height, head = 0, tail = 0, found = -1;
    int *queue = malloc(sizeof *queue * (size_t)cells), *first = calloc((size_t)cells, sizeof *first);
    for (queue[tail++] = here; head < tail && found < 0; head++) {
        int cell = queue[head], x = cell % width, y = cell / width;
        if (((board[cell] & flags) != 0) == has) found = first[cell];
        for (int step = 0; step < 4; step++) {
            int next_x = x + DX[step], next_y = y + DY[step], next = next_y * width + next_x;
            if (next_x < 0 || next_y < 0 || next_x >= width || next_y >= height) continue;
            if (next == here || first[next] || (board[next] & avoid)) continue;
            first[next] = first[cell] ? first[cell] : step + 1;
            queue[tail++] = next;
        }
    }
    free(queue), free(first);
    return found;
}

/* Note on the board what the observation of bomber shows. */
static void look(const char *view) {
    const char *size = get(view, "size"), *walls[] = {"metal", "soft", "ore"}, *goods[] = {"treasure", "ammo_tokens"};
    int cells = (width = atoi(size + 1)) * (height = atoi(strchr(size, ',') + 1));
    board = calloc((size_t)cells, 1);
    here = mark_place(get(view, "position"), 0);
    for (int kind = 0; kind < 3; kind++) EACH(place, get(view, walls[kind])) {
        int cell = mark_place(place, TAKEN);
        for (int step = 0; kind > 0 && atoi(get(view, "ammo")) > 0 && step < 4; step++)
            mark(cell % width + DX[step], cell / width + DY[step], BESIDE);
    }
    for (int kind = 0; kind < 2; kind++) EACH(place, get(view, goods[kind])) mark_place(place, WANTED);
    EACH(other, get(view, "opponents")) mark_place(get(other, "position"), TAKEN);
    EACH(place, get(view, "bombs")) mark_place(place, TAKEN | BOMB);
    for (int cell = 0; cell < cells; cell++) /* a bomb that is gone has left fire, which is not shown */
        if ((board[cell] & BOMB) || (bombs_before != NULL && (bombs_before[cell] & BOMB))) mark_blast(cell, DANGER);
    free(bombs_before);
    bombs_before = board;
}

/* Return a legal action, a text in its quotes; `view` has all that this seat may know, `legal` the list of actions. */
static const char *choose(const char *view, const char *legal) {
    if (get(view, "ammo_tokens") == NULL) { /* another game */
        uint64_t count = 0, chosen;
        EACH(action, legal) count++;
        chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17, chosen = chance % count;
        EACH(action, legal) if (chosen-- == 0) return action;
    }
    look(view);
    int step;
    if (board[here] & DANGER) {
        step = first_step(TAKEN, DANGER, 0);
    } else {
        mark_blast(here, SOON);
        if ((board[here] & BESIDE) && first_step(TAKEN, DANGER | SOON, 0) > 0) return "\"bomb\""; /* there is a way out */
        step = first_step(TAKEN | DANGER, WANTED | BESIDE, 1);
    }
    return step > 0 ? STEPS[step - 1] : "\"wait\"";
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        const char *type = get(line, "type");
        if (strncmp(type, "\"start\"", 7) == 0) { /* prepare here: this time does not count for the turn */
            const char *radius = get(get(line, "params"), "blast_radius"), *lens = get(line, "lens");
            chance = strtoull(get(line, "bot_seed"), NULL, 10) * 2 + 1;
            is_looked_at = lens != NULL && *lens == 't';
            reach = radius == NULL ? 0 : atoi(radius);
            free(bombs_before), bombs_before = NULL;
        }
        if (strncmp(type, "\"start\"", 7) == 0 || strncmp(type, "\"hello\"", 7) == 0) {
            printf("{\"type\":\"ready\",\"version\":\"1\",\"language\":\"c\"}\n");
        } else if (strncmp(type, "\"turn\"", 6) == 0) {
            const char *action = choose(get(line, "observation"), get(line, "legal"));
            int length = (int)(text_end(action) - action);
            printf("{\"action\":%.*s", length, action);
            /* kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data */
            if (is_looked_at) printf(",\"shown\":[{\"name\":\"choice\",\"kind\":\"text\",\"data\":%.*s}]", length, action);
            printf("}\n");
        }
        fflush(stdout); /* otherwise the answer waits in a buffer */
    }
    free(line), free(bombs_before);
    return 0;
}
