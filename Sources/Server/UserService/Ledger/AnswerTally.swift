import UserData

/// The sums of a batch of answers by day and by domain.
package struct AnswerTally {
    /// The last day that a date has four digits for, in days since 1970.
    package static let dayMax: Int64 = 2_932_896
    private static let dayMilliseconds: Int64 = 24 * 60 * 60 * 1000

    struct Sum {
        var answers = 0
        var correct = 0
        /// Different questions that are new to the day or domain.
        var questions = 0
        var taken: Int64 = 0
        var last: Int64 = 0

        mutating func add(_ answer: AnswerRow) {
            answers += 1
            correct += answer.isCorrect ? 1 : 0
            taken += answer.takenMilliseconds
            last = max(last, answer.milliseconds)
        }
    }

    struct QuestionKey: Hashable {
        var bank: String
        var question: String
    }

    struct DomainKey: Hashable {
        var bank: String
        var domain: String
    }

    /// The days on which a question was answered, and the domains that it had.
    struct Places {
        var days: Set<Int64> = []
        var domains: Set<String> = []
    }

    var days: [Int64: Sum] = [:]
    var domains: [DomainKey: Sum] = [:]
    private(set) var questions: [QuestionKey: Places] = [:]

    mutating func add(_ answer: AnswerRow) {
        let day = min(answer.milliseconds / Self.dayMilliseconds, Self.dayMax)
        let domain = answer.domain ?? ""
        days[day, default: Sum()].add(answer)
        domains[DomainKey(bank: answer.bank, domain: domain), default: Sum()].add(answer)
        let key = QuestionKey(bank: answer.bank, question: answer.question)
        questions[key, default: Places()].days.insert(day)
        questions[key, default: Places()].domains.insert(domain)
    }
}
