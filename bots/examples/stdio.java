// A whole bot in Java 17. It needs no library: it reads lines of JSON from standard input and prints answers.
//
// In bomber it searches breadth first; in other games it answers at random. Change `choose`. Print everything else to
// System.err: it is kept in the bot's log.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

class Bot {
    /** A cell of the board: x to the right, y down, (0, 0) top left. */
    record Cell(int x, int y) {
        Cell to(Cell step, int far) {
            return new Cell(x + far * step.x, y + far * step.y);
        }
    }

    private static final Map<String, Cell> STEPS =
        Map.of("up", new Cell(0, -1), "down", new Cell(0, 1), "left", new Cell(-1, 0), "right", new Cell(1, 0));

    private boolean isLookedAt; // spectators watch: answers may carry layers over the board
    private Random chance = new Random(0); // draw from this only: a rerun then plays the same match
    private int reach;
    private Set<Cell> bombsBefore = new HashSet<>();

    /** Return a legal action; turn.get("observation") has all that this seat may know. */
    private String choose(Map<String, Object> turn) {
        Map<String, Object> view = Json.object(turn.get("observation"));
        if (!view.containsKey("ammo_tokens")) { // another game
            List<Object> legal = Json.list(turn.get("legal"));
            return (String) legal.get(chance.nextInt(legal.size()));
        }
        Cell size = cellOf(view.get("size")), here = cellOf(view.get("position"));
        Set<Cell> bombs = cells(view, "bombs"), blocks = cells(view, "soft", "ore");
        Set<Cell> taken = cells(view, "metal", "soft", "ore", "bombs");
        for (Object other : Json.list(view.get("opponents"))) taken.add(cellOf(Json.object(other).get("position")));
        Set<Cell> danger = new HashSet<>(), soon = new HashSet<>(), goals = cells(view, "treasure", "ammo_tokens");
        for (Cell bomb : bombs) addBlast(bomb, danger);
        for (Cell bomb : bombsBefore) addBlast(bomb, danger);
        bombsBefore = bombs; // a bomb that is gone has left fire, which is not shown
        if (danger.contains(here)) return firstStep(here, size, taken, cell -> !danger.contains(cell));
        Set<Cell> beside = new HashSet<>();
        boolean hasAmmo = (Double) view.get("ammo") > 0;
        for (Cell block : blocks) for (Cell step : STEPS.values()) if (hasAmmo) beside.add(block.to(step, 1));
        addBlast(here, soon);
        Predicate<Cell> isSafe = cell -> !danger.contains(cell) && !soon.contains(cell);
        boolean hasWayOut = !firstStep(here, size, taken, isSafe).equals("wait");
        if (beside.contains(here) && hasWayOut) return "bomb";
        goals.addAll(beside);
        taken.addAll(danger);
        return firstStep(here, size, taken, goals::contains);
    }

    /** Return the first step of a shortest path to a goal; "wait" if it is here, or if there is no path. */
    private static String firstStep(Cell here, Cell size, Set<Cell> avoided, Predicate<Cell> isGoal) {
        Map<Cell, String> first = new HashMap<>(Map.of(here, "wait"));
        Queue<Cell> waiting = new ArrayDeque<>(List.of(here));
        for (Cell at = waiting.poll(); at != null; at = waiting.poll()) {
            if (isGoal.test(at)) return first.get(at);
            for (String name : List.of("up", "down", "left", "right")) {
                Cell cell = at.to(STEPS.get(name), 1);
                boolean isOutside = cell.x < 0 || cell.y < 0 || cell.x >= size.x || cell.y >= size.y;
                if (isOutside || first.containsKey(cell) || avoided.contains(cell)) continue;
                first.put(cell, at.equals(here) ? name : first.get(at));
                waiting.add(cell);
            }
        }
        return "wait";
    }

    /** Add the cells that a bomb's fire may reach; walls are ignored. */
    private void addBlast(Cell bomb, Set<Cell> cells) {
        for (int far = 0; far <= reach; far++) for (Cell step : STEPS.values()) cells.add(bomb.to(step, far));
    }

    private static Set<Cell> cells(Map<String, Object> view, String... names) {
        Set<Cell> cells = new HashSet<>();
        for (String name : names) for (Object place : Json.list(view.get(name))) cells.add(cellOf(place));
        return cells;
    }

    private static Cell cellOf(Object place) {
        List<Object> numbers = Json.list(place);
        return new Cell(((Double) numbers.get(0)).intValue(), ((Double) numbers.get(1)).intValue());
    }

    private String answer(String line) {
        Map<String, Object> message = Json.object(new Json(line).read());
        Object type = message.get("type");
        if (type.equals("start")) { // prepare here: this time does not count for the turn
            isLookedAt = Boolean.TRUE.equals(message.get("lens"));
            chance = new Random(((Double) message.get("bot_seed")).longValue());
            reach = ((Double) Json.object(message.get("params")).getOrDefault("blast_radius", 0.0)).intValue();
            bombsBefore = new HashSet<>();
        }
        if (type.equals("hello") || type.equals("start")) {
            return "{\"type\":\"ready\",\"version\":\"1\",\"language\":\"java\"}";
        }
        if (!type.equals("turn")) return null;
        String action = "\"" + choose(message) + "\"";
        // kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data
        String shown = ",\"shown\":[{\"name\":\"choice\",\"kind\":\"text\",\"data\":" + action + "}]";
        return "{\"action\":" + action + (isLookedAt ? shown : "") + "}";
    }

    public static void main(String[] arguments) throws Exception {
        Bot bot = new Bot();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8); // true: flush every line
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer = bot.answer(line);
            if (answer != null) out.println(answer);
        }
    }
}

/** A reader of one line of JSON without blanks outside texts; escapes in texts stay as they are. */
class Json {
    private final String line;
    private int at;

    Json(String line) {
        this.line = line;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    /** Return the next value: a Map, List, String, Double or Boolean, or null. */
    Object read() {
        int first = at;
        switch (line.charAt(at++)) {
            case '"':
                for (; line.charAt(at) != '"'; at++) if (line.charAt(at) == '\\') at++;
                return line.substring(first + 1, at++);
            case '[':
                List<Object> list = new ArrayList<>();
                for (; line.charAt(at) != ']'; skipComma()) list.add(read());
                at++;
                return list;
            case '{':
                Map<String, Object> object = new HashMap<>();
                for (; line.charAt(at) != '}'; skipComma()) {
                    String key = (String) read();
                    at++; // the colon
                    object.put(key, read());
                }
                at++;
                return object;
            default:
                while (at < line.length() && ",]}".indexOf(line.charAt(at)) < 0) at++;
                String word = line.substring(first, at);
                return word.equals("null") ? null : word.matches("true|false") ? (Object) word.equals("true") : Double.valueOf(word);
        }
    }

    private void skipComma() {
        if (line.charAt(at) == ',') at++;
    }
}
