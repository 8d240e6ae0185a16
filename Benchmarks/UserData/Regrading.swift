import Foundation
import Underway

/// A store of many answers whose keys turn out to be wrong: what grading them again costs.
struct RegradeScope {
    private static let questionCount = 1000
    private static let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let store: UserStore
    private let now = Date()

    init(folder: String) throws {
        store = try UserStore(folder: URL(fileURLWithPath: folder))
    }

    private static let questions = (0..<questionCount).map { number in
        Question(
            id: "swift-\(number)", type: .singleChoice, domain: "domain-\(number % 5)",
            difficulty: 1, stem: "Question \(number)?",
            options: ["a", "b", "c", "d"].map { QuestionOption(id: $0, text: $0) }, correct: [0])
    }

    /// Answers to all questions, and 100 exams of 45 questions that are kept with their results.
    func fill(answers count: Int) throws {
        var random = SeededRandom(seed: 1)
        let versions = Self.questions.map(\.contentVersion)
        let start = now.timeIntervalSince1970 - Double(count) * 20
        let records = (0..<count).map { index in
            let question = Self.questions[Int.random(in: 0..<Self.questionCount, using: &random)]
            let option = ["a", "a", "a", "b", "c"][Int.random(in: 0..<5, using: &random)]
            return AnswerRecord(
                sessionID: "session-\(index / 20)", questionID: question.id,
                domain: question.domain, contentVersion: question.contentVersion,
                response: [option], isCorrect: option == "a", credit: option == "a" ? 1 : 0,
                timeTaken: 5, exposuresBefore: 0, mode: .study, isRandomlySelected: false,
                date: Date(timeIntervalSince1970: start + Double(index) * 20))
        }
        for start in stride(from: 0, to: count, by: 10_000) {
            try store.add(
                Array(records[start..<min(start + 10_000, count)]), to: Self.bank, now: now)
        }
        for number in 0..<100 { try save(exam: number, versions, using: &random) }
        try read()
    }

    private func save(
        exam number: Int, _ versions: [String], using random: inout SeededRandom
    ) throws {
        let chosen = (0..<Self.questionCount).shuffled(using: &random).prefix(45)
        var exam = StudySession(
            id: "exam-\(number)", mode: .exam,
            entries: chosen.map {
                .init(Self.questions[$0], contentVersion: versions[$0], exposuresBefore: 0)
            }, now: now, using: &random)
        for index in chosen { try exam.answer(["a"], to: Self.questions[index], now: now) }
        exam.finish(now: now)
        try store.save(exam, of: Self.bank, now: now)
    }

    /// Corrects the first questions, and prints the seconds of it and of what is read then.
    func run(questions count: Int) throws {
        var bank = Blueprint(
            kind: .exam, id: Self.bank.name, title: "Swift", version: "2",
            questions: Self.questions)
        for index in 0..<count {
            bank.questions[index].correct = [1]
            bank.corrections.append(
                GradeCorrection(
                    question: bank.questions[index].id,
                    versions: [Self.questions[index].contentVersion], was: "a", is: "b"))
        }
        let clock = ContinuousClock()
        var results = 0
        let applying = try clock.measure {
            results = try store.applyCorrections(of: bank, now: now).count
        }
        let reading = try clock.measure { try read() }
        let again = try clock.measure { try store.applyCorrections(of: bank, now: now) }
        let answers = try store.answers(of: Self.bank)
        let right = answers.count(where: \.isCorrect)
        print(
            "{\"apply\":\(Self.seconds(applying)),\"read\":\(Self.seconds(reading)),"
                + "\"again\":\(Self.seconds(again)),\"results\":\(results),\"right\":\(right)}")
    }

    /// Reads what was counted anew, the baseline, and prints its seconds.
    func recount() throws {
        let time = try ContinuousClock().measure { try read() }
        print("{\"seconds\":\(Self.seconds(time))}")
    }

    private func read() throws {
        _ = try store.schedules(of: Self.bank, by: ReviewScheduler(.rightOrWrong), now: now)
        _ = try store.progressByDay()
        _ = try store.progressByDomain()
    }

    private static func seconds(_ time: Duration) -> Double {
        Double(time / .microseconds(1)) / 1e6
    }
}
