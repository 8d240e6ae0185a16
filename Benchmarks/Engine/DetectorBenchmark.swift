import QuestionEngine

/// Precision, recall and calibration of the wrong-key detector on simulated banks, beside the rule of the
/// textbooks: a key is suspicious when another option goes better with the score on the other questions.
enum DetectorBenchmark {
    /// One kind of bank.
    private struct Cell {
        var design: SimulatedBank.Design
        var quality: SimulatedBank.Quality
        var learners = SimulatedBank.Learners()
        var people: Int

        /// The banks of the cell: of 45 questions in the even design, of 90 in the sparse one.
        var bankCount: Int { people >= 1_000 ? 60 : people >= 300 ? 150 : 300 }
        var itemCount: Int { design == .even ? 45 : 90 }
    }

    private static let cells: [Cell] =
        SimulatedBank.Design.allCases.flatMap { design in
            SimulatedBank.Quality.allCases.flatMap { quality in
                [50, 100, 300, 1_000].map { Cell(design: design, quality: quality, people: $0) }
            }
        }
        + [(-1.0, 1.0), (-1.2, 0.7), (0.0, 0.4), (1.0, 1.0)].flatMap { mean, spread in
            [50, 100, 300].map {
                Cell(
                    design: .sparse, quality: .good,
                    learners: .init(mean: mean, spread: spread), people: $0)
            }
        }

    static func run(firstSeed: String?) throws {
        let seed = firstSeed.flatMap { UInt64($0) } ?? 1_000_000
        for (place, cell) in cells.enumerated() {
            var score = DetectorScore()
            var plain = PlainRule()
            for number in 0..<UInt64(cell.bankCount) {
                let bank = try SimulatedBank(
                    cell.quality, items: cell.itemCount, people: cell.people, design: cell.design,
                    learners: cell.learners, seed: seed + 7_919 * number + UInt64(place))
                score.add(bank, WrongKeyDetector())
                plain.add(bank)
            }
            try EngineBenchmarks.report([
                "design": cell.design.rawValue, "quality": cell.quality.rawValue,
                "mean": cell.learners.mean, "spread": cell.learners.spread, "people": cell.people,
                "precision": score.precision, "recall": score.recall, "act": score.actPrecision,
                "acted": score.acted, "falseAlarms": score.falseAlarms,
                "undecided": Double(score.undecided) / Double(max(1, score.judged)),
                "proposals": Double(score.rightProposals) / Double(max(1, score.foundWrong)),
                "plainPrecision": plain.precision, "plainRecall": plain.recall,
                "plainFalseAlarms": plain.falseAlarms,
            ])
        }
    }
}

/// The textbook's rule, counted.
private struct PlainRule {
    private var (foundWrong, foundRight, missed, rightKeys) = (0, 0, 0, 0)

    var precision: Double { Double(foundWrong) / Double(max(1, foundWrong + foundRight)) }
    var recall: Double { Double(foundWrong) / Double(max(1, foundWrong + missed)) }
    var falseAlarms: Double { 100 * Double(foundRight) / Double(max(1, rightKeys)) }

    mutating func add(_ bank: SimulatedBank) {
        for item in ItemStatistics.all(of: bank.table)
        where item.respondentCount >= WrongKeyDetector.respondentsMin {
            let key = item.responses.first(where: \.isKey)?.restCorrelation ?? 0
            let isSuspicious = item.responses.contains { !$0.isKey && $0.restCorrelation > key }
            let isWrong = bank.rightKeys[item.id] != nil
            if !isWrong { rightKeys += 1 }
            switch (isSuspicious, isWrong) {
            case (true, true): foundWrong += 1
            case (true, false): foundRight += 1
            case (false, true): missed += 1
            case (false, false): break
            }
        }
    }
}
