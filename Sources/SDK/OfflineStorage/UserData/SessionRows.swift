import Foundation
import GRDB
import QuestionEngine
import UserData

/// The key of an answer in a session: a question has another number of exposures each time that it is asked.
struct AnswerKey: Hashable {
    let bank: String
    let question: String
    let exposuresBefore: Int64

    init(_ row: AnswerRow) {
        bank = row.bank
        question = row.question
        exposuresBefore = row.exposuresBefore
    }

    init(_ record: AnswerRecord, bank: String) {
        self.bank = bank
        question = record.questionID
        exposuresBefore = Int64(record.exposuresBefore)
    }
}

/// The rows that the save of a session adds: its new answers, and a retraction of each newly undone one.
struct SessionRows {
    private(set) var answers: [AnswerRow]
    private(set) var retractions: [NewRetraction] = []

    /// The number of rows.
    var count: Int { answers.count + retractions.count }

    /// Compares a session with the stored rows.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - rows: The rows of its records.
    ///   - bank: The bank of its questions.
    ///   - database: The database, within a transaction of the caller.
    ///   - user: The user.
    /// - Throws: `StoreError` `refused` when another answer is stored under a key; an error of the database.
    init(
        _ session: StudySession, _ rows: [AnswerRow], bank: String, in database: Database,
        user: String
    ) throws {
        answers = []
        guard !rows.isEmpty else { return }
        let stored = try RetractionStorage(database: database, user: user)
            .rows(ofSession: session.id)
        let known = Dictionary(
            stored.filter { !$0.row.isRetraction }.map { (AnswerKey($0.row), $0) },
            uniquingKeysWith: { first, _ in first })
        let clock = DeviceClock(database: database, user: user)
        let new = try rows.filter { row in
            guard let known = known[AnswerKey(row)] else { return true }
            guard known.row.isSameAnswer(as: row) else { throw SessionReplacement.otherWindow }
            return false
        }
        answers = try clock.placed(new)
        let rule = Retractions(stored)
        for undone in session.undone {
            let key = AnswerKey(undone.record, bank: bank)
            guard let target = target(key, known[key]), !target.isRetracted(by: rule) else {
                continue
            }
            retractions.append(
                NewRetraction(
                    target: target,
                    milliseconds: try clock.placed(UserStore.milliseconds(undone.date)),
                    offsetMinutes: undone.offsetMinutes))
        }
    }

    private func target(
        _ key: AnswerKey, _ known: RetractionStorage.Stored?
    ) -> NewRetraction.Target? {
        if let known { return .stored(known.id, known.row) }
        return answers.firstIndex { AnswerKey($0) == key }.map { .new($0) }
    }

    /// Verifies, after they were added, that the rows are the only ones under their keys.
    ///
    /// - Throws: `ConcurrentAnswerError` when another process added the same meanwhile.
    func checkAreOnly(of session: String, in database: Database, user: String) throws {
        guard count > 0 else { return }
        let stored = try RetractionStorage(database: database, user: user)
            .rows(ofSession: session)
        let keys = Set(answers.map(AnswerKey.init))
        let added = stored.filter { !$0.row.isRetraction && keys.contains(AnswerKey($0.row)) }
        guard added.count == answers.count else { throw ConcurrentAnswerError() }
        for case .stored(let id, let answer) in retractions.map(\.target) {
            let valid = stored.count { $0.row.retracts == id && $0.row.canRetract(answer) }
            guard valid <= 1 else { throw ConcurrentAnswerError() }
        }
    }
}

/// A retraction whose number, and perhaps that of its answer, is assigned as it is stored.
package struct NewRetraction: Sendable {
    /// The answer that is taken back.
    enum Target: Sendable {
        /// A stored answer.
        case stored(AnswerID, AnswerRow)
        /// An answer of the same transaction, by its index.
        case new(Int)

        func isRetracted(by rule: Retractions) -> Bool {
            if case .stored(let id, _) = self { rule.isRetracted(id) } else { false }
        }
    }

    var target: Target
    /// The time of the undo, in milliseconds since 1970.
    var milliseconds: Int64
    var offsetMinutes: Int?

    /// Returns the row, given the answers of the transaction and the number of the first of them.
    func row(with answers: [AnswerRow], first: AnswerID) -> AnswerRow {
        let (id, answer) =
            switch target {
            case .stored(let id, let answer): (id, answer)
            case .new(let index):
                (
                    AnswerID(client: first.client, number: first.number + UInt64(index)),
                    answers[index]
                )
            }
        return answer.retraction(of: id, at: milliseconds, offsetMinutes: offsetMinutes)
    }
}

/// The error of a transaction during which another process saved rows of the same session.
struct ConcurrentAnswerError: Error {}

extension AnswerRow {
    /// Returns true if this saved row is the answer of a session's row to the same question, with the same rating.
    ///
    /// It may have a later time than the session's if the clock had been set back, see `DeviceClock.placed`.
    func isSameAnswer(as given: AnswerRow) -> Bool {
        options == given.options && milliseconds >= given.milliseconds && rating == given.rating
    }
}
