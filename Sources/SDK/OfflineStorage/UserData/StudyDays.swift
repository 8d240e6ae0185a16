import Foundation
import GRDB
import QuestionEngine

/// The counts of answers by learner's day, within a transaction that the caller opened.
///
/// The day of an answer is determined by its time and its stored offset, so a journey changes none.
struct StudyDays {
    /// The counts of a day.
    struct Count: Hashable {
        var answers = 0
        var correct = 0
        /// The number of distinct questions; those of two banks are distinct.
        var questions = 0

        mutating func add(isCorrect: Bool, isFirstOfDay: Bool) {
            answers += 1
            correct += isCorrect ? 1 : 0
            questions += isFirstOfDay ? 1 : 0
        }
    }

    private let database: Database
    private let user: String
    private(set) var counts: [LearningDay: Count] = [:]

    init(_ database: Database, user: String) {
        self.database = database
        self.user = user
    }

    /// Adds an answer to its day.
    mutating func count(_ day: LearningDay, isCorrect: Bool, isFirstOfDay: Bool) {
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
                arguments: [user, day.number, count.answers, count.correct, count.questions])
        }
    }
}

/// The offsets from UTC of the device's zone, which has the same one for most of a run of answers.
struct ZoneOffsets {
    private let clock: LearningClock
    /// A quarter of an hour: a zone changes at its beginning.
    private static let quarterMilliseconds: Int64 = 15 * 60 * 1000
    private var offsets: [Int64: Int] = [:]

    init(_ timeZone: TimeZone = .current) { clock = LearningClock(timeZone: timeZone) }

    /// Returns the offset in minutes at a moment.
    mutating func minutes(at milliseconds: Int64) -> Int {
        let quarter = milliseconds / Self.quarterMilliseconds
        if let minutes = offsets[quarter] { return minutes }
        let minutes = clock.offsetMinutes(at: CardStorage.date(milliseconds))
        offsets[quarter] = minutes
        return minutes
    }
}
