package import QuestionEngine

/// The current evidence of answers and reports about the questions of a bank.
package struct BankReview: Sendable {
    /// A question with its evidence.
    package struct Item: Sendable {
        /// The question's id.
        package var question: String
        /// Its version.
        package var version: String
        /// The published key: ids of options separated by spaces, or a number.
        package var key: String
        /// The key that the answers propose; `nil` for none.
        package var proposedKey: String?
        /// The evidence.
        package var evidence: Proposal.Evidence
        /// The number of first answers that match the key.
        package var right = 0

        package init(
            question: String, version: String, key: String, proposedKey: String?,
            evidence: Proposal.Evidence
        ) {
            self.question = question
            self.version = version
            self.key = key
            self.proposedKey = proposedKey
            self.evidence = evidence
        }

        /// True when the question needs a review by a person.
        package var isSuspicious: Bool { proposedKey != nil }

        /// True when answers or reports speak against the key.
        var speaksAgainstKey: Bool { isSuspicious || evidence.reports > 0 }
    }

    /// The bank.
    package let bank: String
    /// The reviewable questions, by id.
    package let items: [String: Item]

    package init(bank: String, items: [Item]) {
        self.bank = bank
        self.items = Dictionary(
            items.map { ($0.question, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reviews a bank.
    ///
    /// `WrongKeyDetector` judges questions with one right option, `KeyReviewQueue` all others. Cost: two passes over
    /// the answers.
    /// - Parameters:
    ///   - bank: The bank's name.
    ///   - table: The first answers; each question has its version.
    ///   - reports: The number of learners who reported the current version of a question, by id.
    ///   - prior: The prior of the detector.
    package init(
        bank: String, _ table: ResponseMatrix, reports: [String: Int],
        prior: WrongKeyPrior = WrongKeyPrior()
    ) {
        let review = WrongKeyDetector(prior: prior).review(of: table, reports: reports)
        let findings = Dictionary(
            review.findings.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let queue = Dictionary(
            KeyReviewQueue(table).entries.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        let shown = Set(queue.keys).union(reports.keys)
            .union(review.findings.filter(\.outcome.isSuspicious).map(\.id))
        let curves = Dictionary(
            OptionCurves.curves(of: table, ids: shown).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        self.init(
            bank: bank,
            items: table.items.indices.map { index in
                let item = table.items[index]
                return Item(
                    item, counts: table.counts(of: index), findings[item.id], queue[item.id],
                    curves[item.id], reports: reports[item.id] ?? 0)
            })
    }
}

extension BankReview.Item {
    init(
        _ item: ResponseMatrix.Item, counts: [Int], _ finding: WrongKeyFinding?,
        _ entry: KeyReviewQueue.Entry?, _ curves: OptionCurves?, reports: Int
    ) {
        question = item.id
        version = item.contentVersion ?? ""
        key = item.responses[item.key]
        proposedKey = finding?.proposedLabel ?? entry?.proposedAnswer
        let total = counts.reduce(0, +)
        evidence = Proposal.Evidence(
            respondents: total, reports: reports,
            score: finding?.score ?? entry?.suspicion ?? 0, probability: finding?.probability,
            outcome: finding?.outcome.rawValue)
        right = counts[item.key]
        guard let curves, total > 0 else { return }
        // The most given answers, and the key among them: a number has as many as learners enter.
        let shown = counts.indices.sorted { (counts[$0], $1) > (counts[$1], $0) }
            .prefix(Self.responsesMax).filter { counts[$0] > 0 || $0 == item.key }
        let all = shown.contains(item.key) ? shown : [item.key] + shown.dropLast()
        let places = all.sorted()
        evidence.labels = places.map { item.responses[$0] }
        evidence.shares = places.map { Double(counts[$0]) / Double(total) }
        evidence.groups = curves.groups.map { group in
            .init(count: group.count, shares: places.map { group.shares[$0] })
        }
    }

    /// The most responses of a question whose shares are stored.
    private static let responsesMax = 12
}
