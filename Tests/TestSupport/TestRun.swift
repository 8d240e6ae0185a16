import Foundation

/// What `script/nightly`, or somebody who repeats a run, sets in the environment of the tests.
public enum TestRun {
    /// Returns how often a test does what it does: the number in a variable, or the given one.
    public static func count<Number: FixedWidthInteger>(
        _ variable: String, orElse number: Number
    ) -> Number {
        ProcessInfo.processInfo.environment[variable].flatMap { Number($0) } ?? number
    }

    /// Returns the seed in `UNDERWAY_SEED`, or a random one, and prints it.
    public static func seed(of test: String) -> UInt64 {
        let seed = count("UNDERWAY_SEED", orElse: UInt64.random(in: 0..<1_000_000_000))
        print("\(test) seed \(seed)")
        return seed
    }
}
