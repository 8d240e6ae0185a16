import ServiceAPI
import UserData

extension AnswerColumns {
    /// Returns a run that is moved to another name: its retractions name the answers of its device by that name.
    ///
    /// So does the device itself when it moves answers to a branch. Retractions of other devices' answers stay.
    ///
    /// - Parameters:
    ///   - name: The name under which the answers after `base` go on.
    ///   - base: The number of the last answer of the device that has its former name.
    /// - Returns: The run with its own numbers.
    func renamingTargets(to name: ClientID, from base: UInt64) -> AnswerColumns {
        guard name != span.client, encoded.hasRetractions else { return self }
        let responses = encoded.responses.map { response in
            guard let target = AnswerRow.retracted(by: response), target.client == span.client,
                target.number > base
            else { return response }
            return AnswerRow.retraction(
                of: AnswerID(client: name, number: target.number - base))
        }
        return AnswerColumns(
            span: span,
            encoded: EncodedAnswers(
                questions: encoded.questions, sessions: encoded.sessions, responses: responses,
                rows: encoded.rows))
    }
}
