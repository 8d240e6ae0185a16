import Foundation

/// The time that the processor spends on this thread, so that other work on the machine decides nothing.
public enum ProcessorTime {
    /// Returns the least time of some runs, in seconds.
    public static func seconds(runs: Int = 1, _ body: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<runs {
            let start = now()
            try body()
            least = min(least, now() - start)
        }
        return least
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
