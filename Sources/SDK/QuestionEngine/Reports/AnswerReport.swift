/// The findings of `analyse` about the questions of a bank.
///
/// Its JSON form is that of `analyse --json`, without members that are `nil`.
package struct AnswerReport: Sendable, Hashable, Codable {
    /// The number of rows of the file of answers.
    package var rowCount: Int
    /// The number of first-sight answers, which alone count.
    package var answerCount: Int
    /// The number of people.
    package var personCount: Int
    /// The number of ignored answers of learners who had seen the question before.
    package var repeatCount: Int
    /// The number of ignored answers that name no known question or option.
    package var unknownCount: Int
    /// The number of ignored answers to another version of the question.
    package var otherVersionCount: Int
    /// The number of ignored answers without a response.
    package var skippedCount: Int
    /// The number of ignored answers of people who had answered the question in an earlier row.
    package var laterCount: Int
    /// The number of ignored answers in another mode.
    package var otherModeCount: Int
    /// The number of answers of each mode, where it was recorded: only answers of one mode are alike.
    package var modes: [String: Int]?
    /// The fraction of answers to questions that chance alone selected; `nil` if it was not recorded.
    package var randomShare: Double?
    /// Cronbach's alpha, if enough people answered each pair of questions.
    package var alpha: Double?
    /// The number of people who answered the pair of questions which the fewest answered.
    package var alphaPeople: Int?
    /// The strength of the answers' evidence about keys.
    package var bank: Bank
    /// The questions: those with a suspicious key, the most suspicious first, then the others in the bank's order.
    package var items: [Item]
    /// The curves of the questions to review, at most `curvesMax`.
    package var curves: [Curves]
    /// The questions with several right options or an order to review.
    package var queue: [Review]

    private enum CodingKeys: String, CodingKey {
        case rowCount = "rows"
        case answerCount = "answers"
        case personCount = "people"
        case repeatCount = "repeats"
        case unknownCount = "unknown"
        case otherVersionCount = "otherVersions"
        case skippedCount = "skipped"
        case laterCount = "later"
        case otherModeCount = "otherModes"
        case modes, randomShare
        case alpha, alphaPeople, bank, items, curves, queue
    }

    /// The maximum number of questions whose curves are drawn.
    package static let curvesMax = 50
    /// The minimum number of answers to a question for its calibration.
    package static let calibratedAnswersMin = 200
    /// The maximum number of questions of a calibration; more would take minutes.
    package static let calibratedItemsMax = 150

    /// Creates the report of answers.
    ///
    /// - Parameters:
    ///   - answers: The first answers, and the numbers of ignored ones.
    ///   - reports: The learners' reports of each question.
    ///   - prior: The probability that a key is wrong, before any answer.
    package init(
        _ answers: CountedAnswers, reports: [String: Int] = [:],
        prior: WrongKeyPrior = WrongKeyPrior()
    ) {
        let table = answers.table
        let review = WrongKeyDetector(prior: prior).review(of: table, reports: reports)
        let findings = review.findings
        let entries = KeyReviewQueue(table).entries
        let suspicious = findings.filter { $0.proposedLabel != nil }.map(\.id) + entries.map(\.id)
        let order = suspicious.prefix(Self.curvesMax)
        let drawn = OptionCurves.curves(of: table, ids: Set(order))
        items = Self.items(table, findings, Self.calibration(table))
        bank = Bank(review)
        queue = entries.map(Review.init)
        curves = order.compactMap { id in drawn.first { $0.id == id } }.map(Curves.init)
        let reliability = Self.reliability(table)
        alpha = reliability?.value
        alphaPeople = reliability?.peopleCount
        rowCount = answers.rowCount
        answerCount = table.answerCount
        personCount = table.personCount
        repeatCount = answers.repeatCount
        unknownCount = answers.unknownCount
        otherVersionCount = answers.otherVersionCount
        skippedCount = answers.skippedCount
        laterCount =
            rowCount - answerCount - repeatCount - unknownCount - otherVersionCount - skippedCount
            - answers.otherModeCount
        otherModeCount = answers.otherModeCount
        let recorded = table.origin.modes.map { ($0.key.rawValue, $0.value) }
        modes = recorded.isEmpty ? nil : Dictionary(uniqueKeysWithValues: recorded)
        randomShare = table.origin.randomShare
    }

    private static func items(
        _ table: ResponseMatrix, _ findings: [WrongKeyFinding],
        _ calibration: [Int: MarginalCalibration.Item]
    ) -> [Item] {
        let statistics = ItemStatistics.all(of: table)
        let index = Dictionary(
            statistics.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let judged = findings.compactMap { finding in
            index[finding.id].map { Item(statistics[$0], finding, calibration[$0]) }
        }
        let suspicious = judged.prefix { $0.outcome?.isSuspicious == true }
        let first = Set(suspicious.map(\.question))
        let byID = Dictionary(judged.map { ($0.question, $0) }, uniquingKeysWith: { $1 })
        return suspicious
            + statistics.enumerated().filter { !first.contains($1.id) }.map { place, one in
                byID[one.id] ?? Item(one, nil, calibration[place])
            }
    }

    /// Returns the parameters of the two-parameter model by the question's index, for those with enough answers.
    private static func calibration(_ table: ResponseMatrix) -> [Int: MarginalCalibration.Item] {
        // A question that all answered alike has no parameters.
        let chosen = table.items.indices.filter { item in
            let rows = table.rows(of: item)
            let right = rows.count { table.responses[$0] == Int32(table.items[item].key) }
            return rows.count >= calibratedAnswersMin && (1..<rows.count).contains(right)
        }
        guard (2...calibratedItemsMax).contains(chosen.count),
            let found = table.scores(of: chosen).flatMap({ try? MarginalCalibration($0).items })
        else { return [:] }
        return Dictionary(uniqueKeysWithValues: zip(chosen, found))
    }

    private static func reliability(_ table: ResponseMatrix) -> PairwiseAlpha? {
        guard table.items.count <= PairwiseAlpha.itemsMax else { return nil }
        return table.scores(of: Array(table.items.indices)).flatMap { PairwiseAlpha($0) }
    }

    /// The questions whose key is probably wrong.
    package var suspicious: [Item] { items.filter(\.isSuspicious) }
}

/// A table of first-sight answers, with the numbers of ignored rows.
package struct CountedAnswers: Sendable {
    /// The first-sight answers.
    package var table: ResponseMatrix
    /// The number of rows of the file.
    package var rowCount: Int
    /// The number of ignored rows of learners who had seen the question before.
    package var repeatCount: Int
    /// The number of rows that name no known question or option.
    package var unknownCount: Int
    /// The number of ignored rows for another version of the question.
    package var otherVersionCount: Int
    /// The number of ignored rows without a response.
    package var skippedCount: Int
    /// The number of ignored rows in another mode.
    package var otherModeCount = 0

    /// Creates counted answers.
    package init(
        table: ResponseMatrix, rowCount: Int, repeatCount: Int, unknownCount: Int,
        otherVersionCount: Int = 0, skippedCount: Int = 0
    ) {
        self.table = table
        self.rowCount = rowCount
        self.repeatCount = repeatCount
        self.unknownCount = unknownCount
        self.otherVersionCount = otherVersionCount
        self.skippedCount = skippedCount
    }
}
