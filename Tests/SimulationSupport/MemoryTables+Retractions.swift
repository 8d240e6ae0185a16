import Ledger
import ServiceAPI
package import UserData

extension MemoryTables.Account {
    /// Returns the answers within runs that are taken back, each with the retraction that holds.
    package func holding(in spans: [AnswerSpan]) -> [AnswerID: AnswerID] {
        let holding = retractions.filter { one in one.holds && spans.contains { $0.has(one.target) }
        }
        return Dictionary(holding.map { ($0.target, $0.id) }, uniquingKeysWith: { $1 })
    }

    /// All rows with their identities.
    package var rows: [AnswerID: AnswerRow] {
        var rows: [AnswerID: AnswerRow] = [:]
        for device in devices {
            for (index, row) in device.answers.enumerated() {
                rows[AnswerID(client: device.client, number: UInt64(index) + 1)] = row
            }
        }
        return rows
    }

    /// The rows that count, by the rule over all rows at once.
    package var countedRows: [AnswerRow] {
        let rows = rows
        let rule = Retractions(rows.map { ($0, $1) })
        return rows.filter { !rule.isRetracted($0.key) && !$0.value.isRetraction }.map(\.value)
    }

    func readRetractions(_ keys: LedgerReadSet, _ snapshot: inout LedgerSnapshot) {
        let waiting = retractions.filter { one in
            !one.holds && keys.broughtAnswers.contains { $0.has(one.target) }
        }
        snapshot.awaitsAnswers = !waiting.isEmpty
        let targets = Set(keys.retracted)
        snapshot.retractions.stored =
            waiting + retractions.filter { $0.holds && targets.contains($0.target) }
        let ids = targets.union(snapshot.retractions.stored.map(\.id))
        snapshot.retractions.rows = rows.filter { ids.contains($0.key) }
    }

    mutating func write(_ changes: RetractionChanges) {
        let judged = Set(changes.judged)
        retractions.removeAll { judged.contains($0.target) }
        retractions += changes.stored
    }
}

extension AnswerSpan {
    fileprivate func has(_ id: AnswerID) -> Bool {
        id.client == client && (first...last).contains(id.number)
    }
}
