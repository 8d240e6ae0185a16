extension Blueprint {
    /// Reports cuts of a placement test that no learner reaches, or that chance alone reaches.
    ///
    /// Cuts are scaled to the questions that are not retired, as in a result.
    ///
    /// - Parameters:
    ///   - report: The report that collects warnings.
    ///   - position: The position of the scoring.
    func lintLevels(_ report: DecodingReport, at position: SourcePosition) {
        let asked = questions.filter { !$0.isRetired }
        let whole = scoring.outOf ?? questions.count + leftOutCount
        guard !asked.isEmpty, whole > 0, !scoring.cuts.isEmpty else { return }
        let reached = (0...asked.count).compactMap { points in
            scoring.cuts.lastIndex { $0.from * asked.count <= points * whole }
        }
        for index in scoring.cuts.indices where !reached.contains(index) {
            report.note(
                .unreachableLevel, at: position,
                "no sum of points reaches \"\(scoring.cuts[index].level)\": of \(whole) questions"
                    + " \(asked.count) are asked")
        }
        let guessed = asked.reduce(0) { $0 + $1.blindGuess } / Double(asked.count) * Double(whole)
        for cut in scoring.cuts.dropFirst() where Double(cut.from) <= guessed {
            report.note(
                .cutByChance, at: position,
                "\"\(cut.level)\" starts at \(cut.from) of \(whole), which blind guessing reaches: it"
                    + " gives \(Int(guessed.rounded(.down)))")
        }
    }
}
