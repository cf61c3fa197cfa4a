package peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import software.amazon.event.ruler.GenericMachine;

/**
 * event-ruler: rules compiled into one automaton over the sorted fields of an event. Called as every runner is;
 * `text` starts from the JSON text of an event, `parsed` from the tree that Jackson made of it.
 */
public final class Runner {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Runner() {}

    public static void main(String[] arguments) throws Exception {
        Measure measure = Measure.of(arguments, 3);
        List<String> rules = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            rules.add(Translate.rule(JSON.readTree(line)));
        }
        List<String> texts = Files.readAllLines(Path.of(arguments[1]));
        List<JsonNode> events = new ArrayList<>();
        for (String text : texts) {
            events.add(JSON.readTree(text));
        }

        load(rules.subList(0, 1)); // classes come with the first rule
        long before = Measure.heap();
        long start = System.nanoTime();
        GenericMachine<Integer> machine = load(rules);
        double build = (System.nanoTime() - start) / 1e9;
        long bytes = Measure.heap() - before;

        ObjectNode result = JSON.createObjectNode();
        result.put("version", "2.1.0").put("build", build).put("bytes", bytes);
        result.set("matches", JSON.valueToTree(firstPass(machine, events, measure.check())));
        ObjectNode ways = result.putObject("ways");
        ways.set("parsed", way(measure.timed(events, machine::rulesForJSONEvent)));
        ways.set("text", way(measure.timed(texts, machine::rulesForJSONEvent)));
        JSON.writeValue(Path.of(arguments[2]).toFile(), result);
    }

    private static GenericMachine<Integer> load(List<String> rules) throws IOException {
        GenericMachine<Integer> machine = GenericMachine.<Integer>builder().build();
        for (int number = 0; number < rules.size(); number++) {
            machine.addRule(number, rules.get(number));
        }
        return machine;
    }

    private static List<TreeSet<Integer>> firstPass(
            GenericMachine<Integer> machine, List<JsonNode> events, double limit) {
        List<TreeSet<Integer>> found = new ArrayList<>();
        long stop = System.nanoTime() + (long) (1e9 * limit);
        for (JsonNode event : events) {
            found.add(new TreeSet<>(machine.rulesForJSONEvent(event)));
            if (System.nanoTime() > stop) {
                break;
            }
        }
        return found;
    }

    private static ObjectNode way(Measure.Way way) {
        ObjectNode node = JSON.createObjectNode().put("events", way.events());
        node.set("seconds", JSON.valueToTree(way.seconds()));
        return node;
    }
}
