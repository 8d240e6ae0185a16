import Foundation

/// Measures the question engine in one process.
///
/// Usage: `EngineBenchmarks SECTION [ARGUMENT]...`. Prints one JSON object a line, which `bench.py` puts into tables beside its baselines.
@main
struct EngineBenchmarks {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "detector": try DetectorBenchmark.run(firstSeed: arguments.dropFirst().first)
        case "fsrs": try SchedulingBenchmark.run(reviews: arguments[1])
        case "grading": try GradingBenchmark.run()
        case "selection": try GradingBenchmark.select()
        case "analysis": try AnalysisBenchmark.detect(answers: arguments.dropFirst().first)
        case "placement": try PlacementBenchmark.run()
        case "learning": try LearningBenchmark.run()
        case "calibration": try AnalysisBenchmark.calibrate(rows: arguments[1])
        case "sparse": try AnalysisBenchmark.calibrateSparse(rows: arguments[1])
        case "fit": try SchedulingBenchmark.fit(reviews: arguments[1])
        default:
            FileHandle.standardError.write(Data("EngineBenchmarks: unknown section\n".utf8))
            exit(64)
        }
    }

    /// The seconds of processor time that `body` takes on this thread.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = threadSeconds()
        try body()
        return threadSeconds() - start
    }

    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func report(_ members: [String: Any]) throws {
        let data = try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}
