package peers;

import java.util.ArrayList;
import java.util.List;

/** Timing and memory, in the same steps as `measure.py`. */
record Measure(double check, double warm, double slice, int repeats) {
    /** Keeps results alive, so that no call can be left out. */
    private static volatile int sink;

    record Way(int events, List<Double> seconds) {}

    interface Match<E> {
        List<Integer> match(E event) throws Exception;
    }

    static Measure of(String[] arguments, int from) {
        if (arguments.length != from + 4) {
            throw new IllegalArgumentException("expected SUBSCRIPTIONS EVENTS RESULT CHECK WARM SLICE REPEATS");
        }
        return new Measure(
                Double.parseDouble(arguments[from]),
                Double.parseDouble(arguments[from + 1]),
                Double.parseDouble(arguments[from + 2]),
                Integer.parseInt(arguments[from + 3]));
    }

    /** Bytes of live objects. */
    static long heap() throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            System.gc();
            Thread.sleep(50);
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Seconds for an event. The warm-up doubles the number of events until they fill a slice. */
    <E> Way timed(List<E> events, Match<E> match) throws Exception {
        int count = 1;
        double spent = 0;
        double seconds;
        while (true) {
            seconds = run(events.subList(0, count), 1, match);
            spent += seconds;
            if (spent >= warm) {
                break;
            }
            if (seconds < slice) {
                count = Math.min(2 * count, events.size());
            }
        }
        int passes = (int) Math.max(1, Math.round(slice / seconds));
        List<Double> samples = new ArrayList<>();
        for (int sample = 0; sample < repeats; sample++) {
            samples.add(run(events.subList(0, count), passes, match) / ((double) passes * count));
        }
        return new Way(count, samples);
    }

    private static <E> double run(List<E> events, int passes, Match<E> match) throws Exception {
        int total = 0;
        long start = System.nanoTime();
        for (int pass = 0; pass < passes; pass++) {
            for (E event : events) {
                total += match.match(event).size();
            }
        }
        sink = total;
        return (System.nanoTime() - start) / 1e9;
    }
}
