import ContentModel

/// The sums of a user's answers by day and by domain.
package struct AnswerProgress: Sendable, Hashable {
    /// The maximum number of days on a dashboard.
    package static let daysMax = 366
    /// The maximum number of domains on a dashboard.
    package static let domainsMax = 1000

    /// The sums of one day.
    package struct Day: Sendable, Hashable {
        /// The day, in days since 1970 in UTC.
        package var day: Int64
        /// The number of answers.
        package var answers: Int
        /// The number of right answers.
        package var correct: Int
        /// The number of distinct questions.
        package var questions: Int
        /// The time that the questions were on screen.
        package var takenMilliseconds: Int64

        package init(
            day: Int64, answers: Int, correct: Int, questions: Int, takenMilliseconds: Int64
        ) {
            self.day = day
            self.answers = answers
            self.correct = correct
            self.questions = questions
            self.takenMilliseconds = takenMilliseconds
        }
    }

    /// The sums of one domain of a bank.
    package struct Domain: Sendable, Hashable {
        /// The bank.
        package var bank: String
        /// The domain; empty for questions without one.
        package var domain: String
        /// The number of answers.
        package var answers: Int
        /// The number of right answers.
        package var correct: Int
        /// The number of distinct questions.
        package var questions: Int
        /// The time of the last answer, in milliseconds since 1970.
        package var lastMilliseconds: Int64

        package init(
            bank: String, domain: String, answers: Int, correct: Int, questions: Int,
            lastMilliseconds: Int64
        ) {
            self.bank = bank
            self.domain = domain
            self.answers = answers
            self.correct = correct
            self.questions = questions
            self.lastMilliseconds = lastMilliseconds
        }
    }

    /// The days, the newest first.
    package var days: [Day]
    /// The domains in the order of bank and domain.
    package var domains: [Domain]

    package init(days: [Day], domains: [Domain]) {
        self.days = days
        self.domains = domains
    }

    /// The sums as a dashboard gets them: `days` and `domains`.
    var json: JSONValue {
        [
            "days": .array(
                days.map { day in
                    [
                        "day": .string(CivilDate(day: day.day).text),
                        "answers": .integer(day.answers),
                        "correct": .integer(day.correct), "questions": .integer(day.questions),
                        "takenMilliseconds": .integer(Int(day.takenMilliseconds)),
                    ]
                }),
            "domains": .array(
                domains.map { domain in
                    .compact([
                        "bank": .string(domain.bank),
                        "domain": domain.domain.isEmpty ? nil : .string(domain.domain),
                        "answers": .integer(domain.answers), "correct": .integer(domain.correct),
                        "questions": .integer(domain.questions),
                        "lastMilliseconds": .integer(Int(domain.lastMilliseconds)),
                    ])
                }),
        ]
    }
}

/// A date of the Gregorian calendar, without a time zone.
struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Converts a number of days since 1970, in eras of 400 years that begin with March.
    init(day number: Int64) {
        let shifted = number + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The date as `2026-03-01`.
    var text: String {
        func padded(_ number: Int64, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
