import ArgumentParser
import QuestionEngine
import Synchronization

/// The option to repeat the random choices of a session.
struct ChanceOptions: ParsableArguments {
    @Option(help: "The seed of random numbers, to repeat a run.")
    var seed: UInt64?

    /// Makes a source of seeds: random ones, or those that follow from `--seed`.
    func seeds() -> @Sendable () -> UInt64 {
        guard let seed else { return { .random(in: 0...UInt64.max) } }
        let random = Mutex(SeededRandom(seed: seed))
        return { random.withLock { $0.next() } }
    }
}
