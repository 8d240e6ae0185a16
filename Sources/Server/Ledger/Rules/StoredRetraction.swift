package import ServiceAPI
package import UserData

/// A retraction that the server stores: it waits for its answer, or it holds.
package struct StoredRetraction: Sendable, Hashable {
    /// The answer that it takes back.
    package var target: AnswerID
    /// The identity of the retraction itself.
    package var id: AnswerID
    /// False while the answer is missing.
    package var holds: Bool

    package init(target: AnswerID, id: AnswerID, holds: Bool) {
        self.target = target
        self.id = id
        self.holds = holds
    }
}

/// The stored rows by which retractions are judged, as far as new answers concern them.
package struct KnownRetractions: Sendable, Hashable {
    /// The retractions that wait for a new answer, and those that hold for an answer which a new retraction names.
    package var stored: [StoredRetraction] = []
    /// The rows of these retractions, and of the stored answers that new retractions name.
    package var rows: [AnswerID: AnswerRow] = [:]

    package init() {}

    /// Returns the stored answers and retractions whose rows are needed.
    ///
    /// - Parameters:
    ///   - targets: The answers that new retractions name.
    ///   - devices: The devices with the numbers of their last answers.
    /// - Returns: Runs of stored answers, by device and number.
    package func spans(of targets: [AnswerID], in devices: [LedgerDevice]) -> [AnswerSpan] {
        let lasts = Dictionary(
            devices.map { ($0.client, $0.lastAnswer) }, uniquingKeysWith: { $1 })
        let ids = Set(targets).union(stored.map(\.id)).filter { $0.number <= lasts[$0.client] ?? 0 }
        var spans: [AnswerSpan] = []
        for id in ids.sorted() {
            if let last = spans.last, last.client == id.client, last.last + 1 == id.number {
                spans[spans.count - 1].count += 1
            } else {
                spans.append(AnswerSpan(client: id.client, first: id.number, count: 1))
            }
        }
        return spans
    }

    /// Adds the rows of runs.
    package mutating func add(_ runs: [AnswerColumns]) {
        for run in runs {
            for (offset, row) in run.rows.enumerated() {
                let number = run.span.first + UInt64(offset)
                rows[AnswerID(client: run.span.client, number: number)] = row
            }
        }
    }
}

/// The changes of what is taken back.
package struct RetractionChanges: Sendable, Hashable {
    /// An answer that a server counted before it was taken back.
    package struct TakenBack: Sendable, Hashable {
        /// The answer's identity.
        package var id: AnswerID
        /// The answer.
        package var row: AnswerRow
    }

    /// The answers whose stored retractions are replaced by those of `stored`.
    package var judged: [AnswerID] = []
    /// The retractions to store.
    package var stored: [StoredRetraction] = []
    /// The new answers that are taken back as they arrive, so that nothing counts them.
    package var uncounted: Set<AnswerID> = []
    /// The stored answers that are taken back now.
    package var takenBack: [TakenBack] = []

    package init() {}
}
