package import ServiceAPI
import UserData

extension LedgerChanges {
    /// Adds runs of new answers, with what is derived from them and from the retractions among them.
    ///
    /// - Parameters:
    ///   - new: The runs, each after the last stored answer of its device.
    ///   - snapshot: The account before them.
    ///   - now: The time of their arrival, in milliseconds since 1970.
    package mutating func add(_ new: [AnswerColumns], over snapshot: LedgerSnapshot, now: Int64) {
        runs = new
        retractions = RetractionDecision(new, over: snapshot.retractions)
            .changes(in: snapshot.devices)
        let takenBack = EncodedAnswers(retractions.takenBack.map(\.row))
        sessions = takenBack.rows.isEmpty ? [] : SessionScore.subtracted(takenBack)
        if snapshot.contributes { retractedFirstAnswers = FirstAnswer.all(in: takenBack) }
        for run in new {
            let counted = run.counted(without: retractions.uncounted)
            sessions += SessionScore.sums(counted, now: now)
            if snapshot.contributes { firstAnswers += FirstAnswer.all(in: counted) }
        }
        sessions = SessionScore.merged(sessions)
    }
}
