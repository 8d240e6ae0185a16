package import ServiceAPI
package import UserData

/// The judgement of retractions when they or their answers arrive.
///
/// `Retractions` judges the rows that concern a new one. Who sent what first changes nothing but the effect: an answer
/// that was counted before is subtracted, one that arrives is not counted.
struct RetractionDecision {
    private let runs: [AnswerColumns]
    private let known: KnownRetractions

    init(_ runs: [AnswerColumns], over known: KnownRetractions) {
        self.runs = runs
        self.known = known
    }

    /// Judges.
    ///
    /// Cost: O(distinct responses) without a retraction, O(new answers) with one.
    /// - Parameter devices: The devices with the numbers of their last answers before the runs.
    /// - Returns: The changes.
    func changes(in devices: [LedgerDevice]) -> RetractionChanges {
        let new = runs.flatMap(\.retractions)
        guard !new.isEmpty || !known.stored.isEmpty else { return RetractionChanges() }
        let targets = Set(new.map(\.target)).union(known.stored.map(\.target))
        let arrived = runs.reduce(into: [:]) { $0.merge($1.rows(of: targets)) { $1 } }
        let rule = Retractions(
            known.rows.map { ($0, $1) } + arrived.map { ($0, $1) } + new.map { ($0.id, $0.row) })
        let lasts = lasts(after: devices)
        let naming = Dictionary(grouping: new, by: \.target)
        var changes = RetractionChanges()
        for target in targets.sorted() {
            if let id = rule.holding[target] {
                changes.judged.append(target)
                changes.stored.append(StoredRetraction(target: target, id: id, holds: true))
            } else if target.number <= lasts[target.client] ?? 0 {
                changes.judged.append(target)
            } else {
                changes.stored += (naming[target] ?? []).map {
                    StoredRetraction(target: target, id: $0.id, holds: false)
                }
            }
        }
        note(rule, arrived, &changes)
        return changes
    }

    /// Notes the answers that were not taken back before.
    private func note(
        _ rule: Retractions, _ arrived: [AnswerID: AnswerRow], _ changes: inout RetractionChanges
    ) {
        let before = Set(known.stored.filter(\.holds).map(\.target))
        for target in rule.holding.keys.sorted() where !before.contains(target) {
            if arrived[target] != nil {
                changes.uncounted.insert(target)
            } else if let row = known.rows[target] {
                changes.takenBack.append(.init(id: target, row: row))
            }
        }
    }

    private func lasts(after devices: [LedgerDevice]) -> [ClientID: UInt64] {
        let known = devices.map { ($0.client, $0.lastAnswer) }
        return Dictionary(
            known + runs.map { ($0.span.client, $0.span.last) }, uniquingKeysWith: max)
    }
}

extension AnswerColumns {
    /// A retraction with its identity and the answer that it names.
    fileprivate typealias Retraction = (id: AnswerID, row: AnswerRow, target: AnswerID)

    fileprivate var retractions: [Retraction] {
        guard encoded.hasRetractions else { return [] }
        return rows.enumerated().compactMap { offset, row in
            guard let row, let target = row.retracts else { return nil }
            return (id(at: offset), row, target)
        }
    }

    /// Returns those of some answers that are in the run.
    fileprivate func rows(of targets: Set<AnswerID>) -> [AnswerID: AnswerRow] {
        let places = (0..<count).filter { targets.contains(id(at: $0)) }
        guard !places.isEmpty else { return [:] }
        let rows = rows
        return places.reduce(into: [:]) { $0[id(at: $1)] = rows[$1] }
    }

    private func id(at offset: Int) -> AnswerID {
        AnswerID(client: span.client, number: span.first + UInt64(offset))
    }

    /// Returns the rows with `nil` for each answer that is taken back.
    package func counted(without retracted: Set<AnswerID>) -> EncodedAnswers {
        guard !retracted.isEmpty else { return encoded }
        let rows = encoded.rows.enumerated().map { offset, row in
            retracted.contains(id(at: offset)) ? nil : row
        }
        return EncodedAnswers(
            questions: encoded.questions, sessions: encoded.sessions,
            responses: encoded.responses, rows: rows)
    }
}
