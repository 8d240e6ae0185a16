/// The rule by which retractions take answers back.
///
/// A retraction is valid if its target is a known answer of mode `study` or `repeat` with the same bank, session,
/// question and mode, given at most 24 hours before. Of the valid retractions of an answer the first one by time,
/// device and number holds, and the others do nothing. So the set of rows decides, and never their order of arrival.
///
/// ```swift
/// let answer = AnswerRow(
///     bank: "int/swift", session: "s1", question: "q1", options: ["a"], isCorrect: true,
///     takenMilliseconds: 900, exposuresBefore: 0, mode: "study", milliseconds: 1_796_151_600_000)
/// var undo = answer
/// undo.options = ["#retract", "device-1", "1"]
/// undo.milliseconds += 5_000
/// let device = ClientID("device-1")
/// let rule = Retractions([
///     (AnswerID(client: device, number: 1), answer), (AnswerID(client: device, number: 2), undo),
/// ])
/// print(rule.isRetracted(AnswerID(client: device, number: 1)))  // true
/// ```
public struct Retractions: Sendable, Hashable {
    /// The modes of answers that can be taken back.
    package static let modes: Set = ["study", AnswerRow.repeatMode]
    /// The maximum time from an answer to its retraction, in milliseconds: 24 hours.
    package static let millisecondsMax: Int64 = 24 * 60 * 60 * 1000

    /// The answers that are taken back, each with the retraction that holds.
    public let holding: [AnswerID: AnswerID]

    /// Judges rows.
    ///
    /// Cost: O(rows).
    /// - Parameter rows: The answers and retractions, each once, in any order. A retraction whose target is not among
    ///   them does nothing yet.
    public init(_ rows: some Collection<(id: AnswerID, row: AnswerRow)>) {
        let retractions = rows.compactMap { id, row in row.retracts.map { (id, row, $0) } }
        let targets = Set(retractions.map(\.2))
        let answers = Dictionary(
            rows.filter { targets.contains($0.id) }.map { ($0.id, $0.row) },
            uniquingKeysWith: { first, _ in first })
        var holding: [AnswerID: (id: AnswerID, milliseconds: Int64)] = [:]
        for (id, row, target) in retractions {
            guard let answer = answers[target], row.canRetract(answer) else { continue }
            if let other = holding[target],
                (other.milliseconds, other.id) < (row.milliseconds, id)
            {
                continue
            }
            holding[target] = (id, row.milliseconds)
        }
        self.holding = holding.mapValues(\.id)
    }

    /// Returns true for an answer that is taken back.
    public func isRetracted(_ id: AnswerID) -> Bool { holding[id] != nil }
}

extension AnswerRow {
    /// Returns true if this row, a retraction that names the answer, is valid for it.
    package func canRetract(_ answer: AnswerRow) -> Bool {
        let passed = milliseconds.subtractingReportingOverflow(answer.milliseconds)
        return isPlainRetraction && !answer.isRetraction && Retractions.modes.contains(answer.mode)
            && bank == answer.bank && session == answer.session && question == answer.question
            && mode == answer.mode && !passed.overflow
            && (0...Retractions.millisecondsMax).contains(passed.partialValue)
    }
}
