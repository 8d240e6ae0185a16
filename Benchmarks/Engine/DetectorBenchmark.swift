import QuestionEngine

/// Precision and recall of the wrong-key detector on simulated banks.
enum DetectorBenchmark {
    /// The banks in each cell, 45 questions each.
    private static let banks = [50: 400, 100: 400, 300: 200, 1_000: 100]

    static func run(firstSeed: String?) throws {
        let seed = firstSeed.flatMap { UInt64($0) } ?? 1_000_000
        for quality in SimulatedBank.Quality.allCases {
            for people in banks.keys.sorted() {
                var score = DetectorScore()
                for number in 0..<UInt64(banks[people] ?? 0) {
                    let bank = try SimulatedBank(
                        quality, people: people, seed: seed + 7_919 * number + UInt64(people))
                    score.add(bank, WrongKeyDetector())
                }
                try EngineBenchmarks.report([
                    "quality": quality.rawValue, "people": people, "precision": score.precision,
                    "recall": score.recall,
                    "proposals": Double(score.rightProposals) / Double(max(1, score.foundWrong)),
                ])
            }
        }
    }
}
