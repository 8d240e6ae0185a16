import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import StudyModel

/// One run of `study`: plans a session, asks, saves every step, and prints the result.
struct StudyRunner {
    private let store: UserStore
    private let saving: StudySaving
    private let bank: QuestionFilter.Bank
    private let blueprint: Blueprint
    private let command: StudyCommand
    private let mode: SessionMode
    private let questions: [String: Question]
    private let request: StudyPlan.Request
    private var random: SeededRandom
    /// The time at which the next question is due, if a session was planned.
    private var nextDue: Date?
    /// The result of an adaptive test that is over.
    private var adaptiveResult: AdaptiveResult?

    init(
        store: UserStore, bank: QuestionFilter.Bank, blueprint: Blueprint,
        command: StudyCommand
    ) {
        self.store = store
        saving = StudySaving(store: store, bank: bank)
        self.bank = bank
        self.blueprint = blueprint
        self.command = command
        mode = command.mode(for: blueprint)
        questions = Dictionary(
            blueprint.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        random = SeededRandom(seed: command.seed ?? .random(in: 0...UInt64.max))
        request = command.request(mode, history: StudyHistory(store, bank, now: Date()))
    }

    mutating func run() throws {
        var session = try opened()
        guard !session.items.isEmpty || isAdaptive else { return sayNothingDue() }
        try saving.save(session)
        Console.say("Type the number of an option, nothing to skip, or q to leave.")
        let isDone = isAdaptive ? try askAdaptively(&session) : try ask(&session)
        if isDone { session.finish(now: Date()) }
        try saving.save(session)
        try saving.confirm()
        isDone ? say(session) : sayLeft(session)
        try saving.end(session)
    }

    private var isAdaptive: Bool { mode == .placement && command.adaptive }

    // MARK: Putting a session together

    private mutating func plan() -> StudyPlan {
        StudyPlan(
            blueprint, request, scheduler: StudyServices.scheduler, now: Date(), using: &random)
    }

    /// Returns the interrupted session, or a new one.
    private mutating func opened() throws -> StudySession {
        if command.fresh || isAdaptive {
            try saving.attempt { try store.dropSessions(of: bank, mode: mode) }
        }
        // A session that cannot be read is reported when the first answer is saved.
        if var open = try? store.openSession(of: bank, mode: mode), open.isCurrent(with: blueprint)
        {
            try? open.resume(now: Date())
            saving.resume(open)
            Console.say("Going on with the session that was broken off (--fresh begins anew).")
            return open
        }
        var entries: [StudySession.Entry] = []
        if !isAdaptive {
            let plan = plan()
            plan.forecast.map(say)
            entries = plan.entries
            nextDue = plan.nextDue
        }
        return StudySession(
            id: UUID().uuidString.lowercased(), mode: mode, entries: entries, now: Date(),
            using: &random)
    }

    private func say(_ forecast: StudyPlan.Forecast) {
        Console.say(
            "\(Console.count(forecast.daysLeft, "day")) left: of \(forecast.questionCount)"
                + " questions you would know \(Int(forecast.expectedMarksWithoutReviews.rounded()))"
                + " without reviews, \(Int(forecast.expectedMarks.rounded()))"
                + " with \(forecast.reviewsPerDay) a day.")
    }

    // MARK: QuestionPrompt

    /// Asks the remaining questions; returns false when the input ended before.
    private func ask(_ session: inout StudySession) throws -> Bool {
        while let item = session.current {
            let title = "\(session.position + 1)/\(session.items.count)"
            guard try askOne(&session, item, title: title) != nil else { return false }
        }
        return true
    }

    /// Asks the question on the screen; returns `nil` at the end of the input.
    private func askOne(
        _ session: inout StudySession, _ item: StudySession.Item, title: String
    ) throws -> Bool? {
        guard let question = questions[item.questionID] else { return nil }
        QuestionPrompt.show(question, order: item.optionOrder, title: title)
        while true {
            guard let answer = QuestionPrompt.read(question, order: item.optionOrder) else {
                try? session.pause(now: Date())
                return nil
            }
            if answer.isEmpty {
                try session.skip(now: Date())
                try saving.save(session)
                return false
            }
            do {
                let grade = try session.answer(answer, to: question, now: Date())
                try saving.save(session)
                if mode != .exam { say(grade, question) }
                return grade.isCorrect
            } catch let error as StudySessionError {
                guard let failure = error.grading else { throw error }
                Console.say(failure.text)
            }
        }
    }

    private func say(_ grade: Grade, _ question: Question) {
        QuestionPrompt.say(grade, question)
        guard mode == .study else { return }
        let next = StudyServices.scheduler.schedule(
            request.schedule(of: question.id), after: Rating(isCorrect: grade.isCorrect),
            at: Date())
        if let due = next.due {
            let days = max(1, Int((due.timeIntervalSinceNow / 86_400).rounded()))
            Console.say(Console.styled("  again in \(Console.count(days, "day"))", .dim))
        }
    }

    private mutating func askAdaptively(_ session: inout StudySession) throws -> Bool {
        var settings = PlacementCourse.settings
        if let limit = command.limit { settings.questionsMax = limit }
        var test = AdaptivePlacement(blueprint: blueprint, settings: settings)
        while let choice = test.next(using: &random), let question = questions[choice.id] {
            var new = request.entry(question)
            new.isRandomlySelected = choice.isRandom
            session.append(new, using: &random)
            guard let item = session.current else { break }
            let title = "\(session.items.count)."
            guard let isRight = try askOne(&session, item, title: title) else { return false }
            try test.record(choice.id, isRight: isRight)
        }
        let result = try AdaptiveResult(test, of: blueprint)
        Console.say(result.text)
        adaptiveResult = result
        return true
    }

    // MARK: The result

    private func say(_ session: StudySession) {
        let result = SessionResult(session, passFraction: blueprint.scoring.passFraction)
        if mode == .placement, !isAdaptive {
            let answers = session.items.compactMap { item in
                item.answer.map { (item.questionID, $0.response) }
            }
            let placed = PlacementResult(
                answers: Dictionary(answers, uniquingKeysWith: { $1 }), blueprint: blueprint,
                asked: Set(session.items.map(\.questionID)))
            Console.say(placed.text, json: placed.json)
        } else {
            Console.say(
                result.text(blueprint), json: result.json.with(adaptiveResult?.members ?? [:]))
        }
    }

    /// Prints the number of saved answers of an interrupted session, which is not graded.
    private func sayLeft(_ session: StudySession) {
        let answered = session.items.count { $0.answer != nil }
        // A failure to save is reported at the end.
        guard !saving.isFailing else { return }
        let saved = "\(Console.count(answered, "answer")) \(answered == 1 ? "is" : "are") saved"
        let next =
            isAdaptive
            ? "an adaptive test begins anew."
            : "the session is kept at question \(session.position + 1) of \(session.items.count);"
                + " start again to go on with it."
        Console.say(
            "\nLeft: \(saved), \(next)",
            json: [
                "finished": false, "answered": .integer(answered),
                "questions": .integer(session.items.count),
            ])
    }

    private func sayNothingDue() {
        let text =
            nextDue.map {
                "Nothing is due today; the next question is due \($0.formatted(.iso8601))."
            } ?? "There is no question that fits."
        command.json
            ? Console.say(json: [
                "questions": 0, "due": .string(nextDue?.formatted(.iso8601) ?? ""),
            ])
            : Console.say(text)
    }
}
