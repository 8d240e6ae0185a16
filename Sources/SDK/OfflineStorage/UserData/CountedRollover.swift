import GRDB
import QuestionEngine

/// The rollover hour by which a user's answers are counted, within a transaction that the caller opened.
///
/// The days of `review` and `studyDay` depend on it, so another hour counts all answers anew, in bounded steps.
struct CountedRollover {
    let database: Database
    let user: String

    /// The hour, from 0 to 23.
    func hour() throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT rolloverHour FROM countedRollover WHERE user = ?"),
            arguments: [user]) ?? LearningClock.standardRolloverHour
    }

    /// Stores another hour, and marks the counts as invalid.
    func change(to hour: Int) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO countedRollover (user, rolloverHour) VALUES (?, ?)",
            arguments: [user, hour])
        try DeviceClock(database: database, user: user).countAnew()
    }
}

extension UserStore {
    /// Counts all answers anew if the learner's day begins at another hour than before; later if the disk cannot be
    /// written.
    func applyRolloverHour() throws {
        let (user, hour) = (user, try learningSettings().rolloverHour)
        guard try database.read({ try CountedRollover(database: $0, user: user).hour() }) != hour
        else { return }
        do {
            try database.write { try CountedRollover(database: $0, user: user).change(to: hour) }
        } catch let error as StoreError where error.code == .storage {
            // The days of the former hour are shown until then.
        }
    }
}
