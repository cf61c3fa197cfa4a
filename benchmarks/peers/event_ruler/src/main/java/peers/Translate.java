package peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/**
 * From the neutral form to a rule. A rule's list of values is a disjunction, so a name can carry one equality, one
 * prefix or one numeric range and nothing beside it.
 */
final class Translate {
    private static final Set<String> COMPARISONS = Set.of("<", "<=", ">", ">=");

    private Translate() {}

    static String rule(JsonNode subscription) {
        ObjectNode rule = JsonNodeFactory.instance.objectNode();
        for (JsonNode constraint : subscription) {
            String name = constraint.get(0).textValue();
            String operator = constraint.get(1).textValue();
            JsonNode value = constraint.get(2);
            if (COMPARISONS.contains(operator)) {
                addBound(rule, name, operator, value);
                continue;
            }
            if (rule.has(name)) {
                throw new IllegalArgumentException("two conditions on " + name);
            }
            switch (operator) {
                case "=" -> rule.putArray(name).add(value);
                case "prefix" -> rule.putArray(name).addObject().set("prefix", value);
                default -> throw new IllegalArgumentException("no translation for " + operator);
            }
        }
        return rule.toString();
    }

    private static void addBound(ObjectNode rule, String name, String operator, JsonNode value) {
        if (!rule.has(name)) {
            rule.putArray(name).addObject().putArray("numeric");
        }
        if (!(rule.get(name).get(0).get("numeric") instanceof ArrayNode range)) {
            throw new IllegalArgumentException("two conditions on " + name);
        }
        range.add(operator).add(value);
    }
}
