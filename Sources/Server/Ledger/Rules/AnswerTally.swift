import ServiceAPI

/// The sums of a batch of answers by day and by domain.
package struct AnswerTally {
    /// The last day whose date has a four-digit year, in days since 1970.
    package static let dayMax: Int64 = 2_932_896
    private static let dayMilliseconds: Int64 = 24 * 60 * 60 * 1000

    struct Sum {
        var answers = 0
        var correct = 0
        /// Different questions that are new to the day or domain.
        var questions = 0
        var taken: Int64 = 0
        var last: Int64 = 0

        mutating func add(_ answer: EncodedAnswers.Row) {
            answers += 1
            correct += answer.isCorrect ? 1 : 0
            taken += answer.takenMilliseconds
            last = max(last, answer.milliseconds)
        }

        mutating func add(_ other: Sum) {
            answers += other.answers
            correct += other.correct
            taken += other.taken
            last = max(last, other.last)
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

    private(set) var questions: [QuestionKey: Places] = [:]
    var days: [Int64: Sum] = [:]
    var domains: [DomainKey: Sum] = [:]

    /// Counts answers; a retraction is none.
    ///
    /// Cost: O(answers), with a look-up of texts for each distinct question alone.
    init(_ answers: EncodedAnswers) {
        let answers = answers.withoutRetractions
        var sums = [Sum](repeating: Sum(), count: answers.questions.count)
        var seen = [Set<Int64>](repeating: [], count: answers.questions.count)
        var (day, ofDay) = (Int64(-1), Sum())
        for case let answer? in answers.rows {
            let (question, next) = (Int(answer.question), Self.day(answer.milliseconds))
            if next != day {
                if day >= 0 { days[day, default: Sum()].add(ofDay) }
                (day, ofDay) = (next, Sum())
            }
            ofDay.add(answer)
            sums[question].add(answer)
            seen[question].insert(day)
        }
        if day >= 0 { days[day, default: Sum()].add(ofDay) }
        for (index, question) in answers.questions.enumerated() where sums[index].answers > 0 {
            let domain = question.domain ?? ""
            domains[DomainKey(bank: question.bank, domain: domain), default: Sum()]
                .add(sums[index])
            let key = QuestionKey(bank: question.bank, question: question.question)
            questions[key, default: Places()].days.formUnion(seen[index])
            questions[key, default: Places()].domains.insert(domain)
        }
    }

    private static func day(_ milliseconds: Int64) -> Int64 {
        min(milliseconds / dayMilliseconds, dayMax)
    }
}
