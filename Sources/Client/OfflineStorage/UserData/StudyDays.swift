import Foundation
import GRDB

/// The counts of answers by day of the local calendar, within a transaction that the caller opened.
///
/// A day is one of the device's time zone. The zone's offsets from UTC are stored with the counts; once
/// those differ, as after a journey, the days are counted anew from the reviews.
struct StudyDays {
    /// The counts of a day.
    struct Count: Hashable {
        var answers = 0
        var correct = 0
        /// The number of different questions; those of two banks are different.
        var questions = 0

        mutating func add(isCorrect: Bool, isFirstOfDay: Bool) {
            answers += 1
            correct += isCorrect ? 1 : 0
            questions += isFirstOfDay ? 1 : 0
        }
    }

    private let database: Database
    private let user: String
    /// A quarter of an hour: all offsets from UTC are multiples of it, so the day is the same within one.
    private static let quarterMilliseconds: Int64 = 15 * 60 * 1000
    private var days: [Int64: String] = [:]
    private(set) var counts: [String: Count] = [:]

    init(_ database: Database, user: String) {
        self.database = database
        self.user = user
    }

    /// Returns the day of a moment, as `2026-11-21`.
    mutating func day(_ milliseconds: Int64) throws -> String {
        let quarter = milliseconds / Self.quarterMilliseconds
        if let day = days[quarter] { return day }
        let statement = try database.cachedStatement(
            sql: "SELECT coalesce(date(?, 'unixepoch', 'localtime'), '9999-12-31')")
        let day = try String.fetchOne(statement, arguments: [milliseconds / 1000]) ?? ""
        days[quarter] = day
        return day
    }

    /// Adds an answer to its day.
    mutating func count(_ day: String, isCorrect: Bool, isFirstOfDay: Bool) {
        counts[day, default: Count()].add(isCorrect: isCorrect, isFirstOfDay: isFirstOfDay)
    }

    /// Adds the counts to those of the database.
    func save() throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO studyDay (user, day, answers, correct, questions) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (user, day) DO UPDATE SET answers = answers + excluded.answers,
                    correct = correct + excluded.correct, questions = questions + excluded.questions
                """)
        for (day, count) in counts {
            try statement.execute(
                arguments: [user, day, count.answers, count.correct, count.questions])
        }
    }

    // MARK: The zone

    /// Returns the zone's offsets from UTC, sampled twice a year: other offsets mean other days.
    static func offsets(in database: Database) throws -> String {
        let statement = try database.cachedStatement(
            sql: """
                WITH RECURSIVE moment (second) AS (
                    VALUES (0) UNION ALL
                    SELECT second + 15778800 FROM moment WHERE second < 2130000000
                )
                SELECT group_concat(strftime('%s', second, 'unixepoch', 'localtime') - second)
                FROM moment
                """)
        return try String.fetchOne(statement) ?? ""
    }

    /// Returns true when the stored counts are those of the device's zone.
    func areCurrent() throws -> Bool {
        try storedOffsets() == Self.offsets(in: database)
    }

    private func storedOffsets() throws -> String? {
        let statement = try database.cachedStatement(
            sql: "SELECT offsets FROM studyZone WHERE user = ?")
        return try String.fetchOne(statement, arguments: [user])
    }

    /// Prepares for adding; returns true when the counts are of this zone, or there are none yet.
    ///
    /// Counts of another zone are marked as such, and counted anew when they are next read.
    func prepareToCount(isFirst: Bool) throws -> Bool {
        let current = try Self.offsets(in: database)
        let stored = try storedOffsets()
        if stored == current { return true }
        if stored == nil, isFirst {
            try save(offsets: current)
            return true
        }
        try database.execute(sql: "DELETE FROM studyZone WHERE user = ?", arguments: [user])
        return false
    }

    private func save(offsets: String) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO studyZone (user, offsets) VALUES (?, ?)",
            arguments: [user, offsets])
    }

    /// Counts all days anew from the reviews, in one pass.
    ///
    /// Cost: O(reviews), about a second a million.
    mutating func rebuild() throws {
        try database.execute(sql: "DELETE FROM studyDay WHERE user = ?", arguments: [user])
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT card, milliseconds, isCorrect FROM review
                JOIN card ON card.number = review.card WHERE card.user = ?
                ORDER BY card, milliseconds
                """,
            arguments: [user])
        counts = [:]
        var last: (card: Int64, day: String)?
        while let row = try rows.next() {
            let (card, milliseconds): (Int64, Int64) = (row[0], row[1])
            let day = try day(milliseconds)
            let isFirst = last.map { $0.card != card || $0.day != day } ?? true
            count(day, isCorrect: row[2], isFirstOfDay: isFirst)
            last = (card, day)
        }
        try save()
        try save(offsets: try Self.offsets(in: database))
    }
}
