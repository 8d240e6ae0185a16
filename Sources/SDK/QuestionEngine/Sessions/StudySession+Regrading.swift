extension StudySession {
    /// Returns the session with its answers regraded by a bank's corrections.
    ///
    /// Use it for the result and the review; the stored session does not change.
    ///
    /// ```swift
    /// var random = SeededRandom(seed: 1)
    /// let session = StudySession(id: "s1", mode: .exam, entries: [], now: .now, using: &random)
    /// let bank = Blueprint(kind: .exam, id: "ca/math", title: "Maths", version: "1", questions: [])
    /// let shown = session.regraded(by: GradeCorrections(bank)) ?? session
    /// print(SessionResult(shown).total.correctCount)
    /// ```
    /// - Parameter corrections: The corrections of the session's bank.
    /// - Returns: `nil` when no grade changes.
    public func regraded(by corrections: GradeCorrections) -> StudySession? {
        guard !corrections.isEmpty else { return nil }
        var session = self
        for (index, item) in items.enumerated() {
            guard let stored = record(item),
                let record = corrections.regraded(stored, policy: policy)
            else { continue }
            session.items[index].answer = Answer(
                response: record.response, isCorrect: record.isCorrect, credit: record.credit,
                date: record.date, rating: record.rating, offsetMinutes: record.offsetMinutes)
        }
        return session == self ? nil : session
    }
}
