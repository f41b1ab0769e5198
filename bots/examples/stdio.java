// A whole bot in Java. It needs no library: it reads lines of JSON from standard input and prints answers.
//
// Change `choose`. Print everything else to System.err: it is kept in the bot's log.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class Bot {
    private boolean isLookedAt;  // true if spectators watch: answers may carry layers over the board
    private Random chance = new Random(0);  // draw from this only: a rerun then plays the same match

    /** Return a legal action, a text in its quotes; `message` has all that this seat may know. */
    private String choose(String message, List<String> legal) {
        return legal.get(chance.nextInt(legal.size()));
    }

    /** Return where the value of the last `"key":` begins, or -1. Lines have no blanks outside texts. */
    private static int valueOf(String message, String key) {
        int found = message.lastIndexOf(key);
        return found < 0 ? found : found + key.length();
    }

    /** Return the texts of the list that begins at a place, with their quotes. */
    private static List<String> textsAt(String message, int at) {
        List<String> texts = new ArrayList<>();
        while (message.charAt(at) == '"' || message.charAt(at) == ',') {
            int first = message.charAt(at) == ',' ? at + 1 : at;
            int last = first + 1;
            while (message.charAt(last) != '"') last += message.charAt(last) == '\\' ? 2 : 1;
            texts.add(message.substring(first, last + 1));
            at = last + 1;
        }
        return texts;
    }

    /** Return the answer to a message, or null if it needs none. */
    private String answer(String message) {
        if (message.startsWith("{\"type\":\"hello\"") || message.startsWith("{\"type\":\"start\"")) {
            int seed = valueOf(message, "\"bot_seed\":");
            if (seed >= 0) chance = new Random(Long.parseLong(message.substring(seed).split("[,}]")[0]));
            isLookedAt = valueOf(message, "\"lens\":true") >= 0;
            // prepare here: this time does not count for the turn
            return "{\"type\":\"ready\",\"version\":\"1\",\"language\":\"java\"}";
        }
        if (!message.startsWith("{\"type\":\"turn\"")) return null;
        String action = choose(message, textsAt(message, valueOf(message, "\"legal\":[")));
        // kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data
        String shown = ",\"shown\":[{\"name\":\"choice\",\"kind\":\"text\",\"data\":" + action + "}]";
        return "{\"action\":" + action + (isLookedAt ? shown : "") + "}";
    }

    public static void main(String[] arguments) throws Exception {
        Bot bot = new Bot();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer = bot.answer(line);
            if (answer != null) out.println(answer);
        }
    }
}
