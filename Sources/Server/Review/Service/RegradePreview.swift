package import Ledger

/// The effect of regrading answers.
package struct RegradePreview: Sendable, Hashable, Codable {
    /// The answers whose grade would change.
    package var answers = 0
    /// The learners of those answers.
    package var learners = 0
    /// The sessions whose points would change.
    package var sessions = 0
    /// The places on open boards whose score would change.
    package var places = 0

    package init() {}
}

extension RegradePlan {
    /// A session of a bank.
    package struct SessionPlace: Hashable {
        var bank: String
        var session: Int64
    }

    /// The changes of the points of sessions, relative to the current changes.
    package var deltas: [SessionPlace: (points: Int, firstPoints: Int)] {
        var deltas: [SessionPlace: (points: Int, firstPoints: Int)] = [:]
        func add(_ grade: RegradedAnswer, _ sign: Int) {
            let place = SessionPlace(bank: grade.bank, session: grade.session)
            deltas[place, default: (0, 0)].points += sign * grade.points
            deltas[place, default: (0, 0)].firstPoints += sign * grade.firstPoints
        }
        for grade in written { add(grade, 1) }
        for grade in removed + replaced { add(grade, -1) }
        return deltas
    }

    /// Returns a session's sums with the new grades.
    package func applied(to session: SessionScore) -> SessionScore {
        var session = session
        if let delta = deltas[SessionPlace(bank: session.bank, session: session.session)] {
            session.points += delta.points
            session.firstPoints += delta.firstPoints
        }
        return session
    }
}
