package import UserData

extension EncodedAnswers {
    /// The answers that retractions among the rows name, in the order of the rows.
    package var retractionTargets: [AnswerID] {
        guard hasRetractions else { return [] }
        let targets = responses.map(AnswerRow.retracted)
        return rows.compactMap { $0.flatMap { targets[Int($0.response)] } }
    }

    /// The same rows with `nil` for each retraction: what schedules, sums and boards count.
    ///
    /// Cost: O(distinct responses) without retractions.
    package var withoutRetractions: EncodedAnswers {
        guard hasRetractions else { return self }
        let isRetraction = responses.map { $0.first == AnswerRow.retractionMark }
        let given = rows.map { row in
            row.flatMap { isRetraction[Int($0.response)] ? nil : $0 }
        }
        return EncodedAnswers(
            questions: questions, sessions: sessions, responses: responses, rows: given)
    }

    /// The same rows with `nil` for each retraction and each repeat: what boards and the review of keys count.
    ///
    /// Cost: O(distinct sessions and responses) without any.
    package var withoutRepeats: EncodedAnswers {
        let isRepeat = sessions.map { $0.mode == AnswerRow.repeatMode }
        guard isRepeat.contains(true) else { return withoutRetractions }
        let first = rows.map { row in row.flatMap { isRepeat[Int($0.session)] ? nil : $0 } }
        return EncodedAnswers(
            questions: questions, sessions: sessions, responses: responses, rows: first
        ).withoutRetractions
    }

    /// True when a response takes an answer back.
    package var hasRetractions: Bool {
        responses.contains { $0.first == AnswerRow.retractionMark }
    }
}
