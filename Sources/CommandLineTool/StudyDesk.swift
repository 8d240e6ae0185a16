import ArgumentParser
import ContentModel
import Foundation
import OfflineStore
import QuestionEngine

/// One run of `study`: puts a session together, asks, keeps every step, and says the result.
struct StudyDesk {
    private let store: UserStore
    private let saving: StudySaving
    private let bank: QuestionFilter.Bank
    private let blueprint: Blueprint
    private let command: StudyCommand
    private let mode: SessionMode
    private let questions: [String: Question]
    private let history: StudyHistory
    private var random: SeededRandom

    init(
        store: UserStore, bank: QuestionFilter.Bank, blueprint: Blueprint,
        command: StudyCommand
    ) {
        self.store = store
        saving = StudySaving(store: store, bank: bank)
        self.bank = bank
        self.blueprint = blueprint
        self.command = command
        mode = command.mode?.session ?? (blueprint.kind == .placement ? .placement : .study)
        questions = Dictionary(
            blueprint.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        random = SeededRandom(seed: command.seed ?? .random(in: 0...UInt64.max))
        // Answers that cannot be read must not keep anybody from learning.
        history = (try? StudyHistory(store, bank, now: Date())) ?? StudyHistory()
    }

    mutating func run() throws {
        var session = try opened()
        guard !session.items.isEmpty || isAdaptive else {
            return sayNothingDue()
        }
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

    /// The session that was broken off, or a new one.
    private mutating func opened() throws -> StudySession {
        if command.fresh || isAdaptive {
            try saving.attempt { try store.dropSessions(of: bank, mode: mode) }
        }
        // A session that cannot be read is said when the first answer is to be saved.
        if var open = try? store.openSession(of: bank, mode: mode), isAskable(open) {
            try? open.resume(now: Date())
            saving.resume(open)
            Console.say("Going on with the session that was broken off (--fresh begins anew).")
            return open
        }
        let chosen = isAdaptive ? [] : choose()
        return StudySession(
            id: UUID().uuidString.lowercased(), mode: mode, entries: chosen.map(entry),
            now: Date(), using: &random)
    }

    /// False when content has changed since: then its options are others, too.
    private func isAskable(_ session: StudySession) -> Bool {
        session.items.allSatisfy { item in
            questions[item.questionID].map { Self.version($0) == item.contentVersion } ?? false
        }
    }

    private func entry(_ question: Question) -> StudySession.Entry {
        StudySession.Entry(
            question, contentVersion: Self.version(question),
            exposuresBefore: history.exposures(of: question.id))
    }

    private static func version(_ question: Question) -> String {
        Checksum(of: question.json.canonicalBytes).description
    }

    private var criteria: QuestionCriteria {
        var criteria = QuestionCriteria()
        criteria.domains = Set(command.domain)
        criteria.difficulties = Set(command.difficulty)
        criteria.tags = Set(command.tag)
        return criteria
    }

    private mutating func choose() -> [Question] {
        switch mode {
        case .placement:
            let all = blueprint.questions.filter { !$0.isRetired }
            return Array(all.prefix(command.limit ?? all.count))
        case .exam:
            return pool().selection(
                of: command.limit ?? blueprint.questions.count, criteria, using: &random
            ).questions
        case .study: return due()
        }
    }

    private func pool() -> QuestionPool { QuestionPool([blueprint]) }

    /// What is due today, by the history of answers.
    private mutating func due() -> [Question] {
        var order = SeededRandom(seed: 0)
        let admitted = pool().selection(
            of: blueprint.questions.count, criteria, isWeighted: false, using: &order)
        let ids = Set(admitted.questions.map(\.id))
        let cards = blueprint.questions.filter { ids.contains($0.id) }
        let limit = command.limit ?? .max
        if let deadline = command.deadlineDate {
            let today = StudyHistory.plan(
                cards, history, deadline: deadline, limit: command.limit ?? 50)
            return today.compactMap { questions[$0] }
        }
        let queue = DueQueue(
            cards.map { (id: $0.id, schedule: history.schedule(of: $0.id)) },
            scheduler: StudyHistory.scheduler, limits: .init(newCards: command.newCards),
            done: history.doneToday, now: Date())
        return queue.cards.prefix(limit).compactMap { questions[$0] }
    }

    // MARK: Asking

    /// Asks what is left; false when the input ended before.
    private func ask(_ session: inout StudySession) throws -> Bool {
        while let item = session.current {
            let title = "\(session.position + 1)/\(session.items.count)"
            guard try askOne(&session, item, title: title) != nil else { return false }
        }
        return true
    }

    /// Asks the question on the screen; `nil` at the end of the input.
    private func askOne(
        _ session: inout StudySession, _ item: StudySession.Item, title: String
    ) throws -> Bool? {
        guard let question = questions[item.questionID] else { return nil }
        Asking.show(question, order: item.optionOrder, title: title)
        while true {
            guard let answer = Asking.read(question.type, order: item.optionOrder) else {
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
            } catch let StudySession.Failure.grading(failure) {
                Console.say(failure.text)
            }
        }
    }

    private func say(_ grade: Grade, _ question: Question) {
        Asking.say(grade, question)
        guard mode == .study else { return }
        let next = StudyHistory.scheduler.schedule(
            history.schedule(of: question.id), after: Rating(isCorrect: grade.isCorrect),
            at: Date())
        if let due = next.due {
            let days = max(1, Int((due.timeIntervalSinceNow / 86_400).rounded()))
            Console.say(Console.styled("  again in \(Console.count(days, "day"))", .dim))
        }
    }

    private mutating func askAdaptively(_ session: inout StudySession) throws -> Bool {
        var settings = AdaptivePlacement.Settings()
        if let limit = command.limit { settings.questionsMax = limit }
        var test = AdaptivePlacement(blueprint: blueprint, settings: settings)
        while let choice = test.next(using: &random), let question = questions[choice.id] {
            var new = entry(question)
            new.isRandomlySelected = choice.isRandom
            session.append(new, using: &random)
            guard let item = session.current else { break }
            let title = "\(session.items.count)."
            guard let isRight = try askOne(&session, item, title: title) else { return false }
            try test.record(choice.id, isRight: isRight)
        }
        let estimate = test.estimate
        let range = test.levels.levels(of: estimate)
        let level = test.levels.level(of: estimate.ability) ?? "–"
        Console.say(
            "\nLevel \(level), by an ability of \(Console.decimal(estimate.ability)) ± "
                + "\(Console.decimal(estimate.standardError)); the levels that are possible: "
                + range.joined(separator: ", "))
        return true
    }

    // MARK: The result

    private func say(_ session: StudySession) {
        let result = SessionResult(session, passFraction: blueprint.scoring.passFraction)
        if mode == .placement, !isAdaptive {
            let answers = session.items.compactMap { item in
                item.answer.map { (item.questionID, $0.optionIDs) }
            }
            let placed = PlacementResult(
                answers: Dictionary(answers, uniquingKeysWith: { $1 }), blueprint: blueprint)
            command.json ? Console.say(json: placed.json) : Console.say(placed.text)
        } else {
            command.json ? Console.say(json: result.json) : Console.say(result.text(blueprint))
        }
    }

    /// Says what is saved of a session that the learner left; the rest is not judged.
    private func sayLeft(_ session: StudySession) {
        let answered = session.items.count { $0.answer != nil }
        // What could not be saved is said at the end.
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
        let next = blueprint.questions.compactMap { history.schedule(of: $0.id).due }.min()
        let text =
            next.map {
                "Nothing is due today; the next question is due \($0.formatted(.iso8601))."
            } ?? "There is no question that fits."
        command.json
            ? Console.say(json: ["questions": 0, "due": .string(next?.formatted(.iso8601) ?? "")])
            : Console.say(text)
    }
}

extension GradingFailure {
    /// What to tell the learner.
    var text: String {
        switch self {
        case .noKey, .brokenKey: "This question has no usable key; skip it with an empty line."
        case .unknownOption(let id, _): "There is no option \(id)."
        case .repeatedOption: "Name each option once."
        case .tooManyOptions: "Only one option is right."
        case .incompleteOrder: "Name every option once, in the right order."
        }
    }
}

extension PlacementResult {
    var text: String {
        let level = level.map { ", level \($0)" } ?? ""
        return "\nResult: \(points) of \(questionCount)\(level)"
    }

    var json: JSONValue {
        .compact([
            "points": .integer(points), "questions": .integer(questionCount),
            "level": level.map { .string($0) },
        ])
    }
}

extension SessionResult {
    func text(_ blueprint: Blueprint) -> String {
        let verdict = hasPassed.map { $0 ? ", passed" : ", not passed" } ?? ""
        var lines = [
            "\nResult: \(total.correctCount) of \(total.questionCount) right,"
                + " \(Int((100 * total.fraction).rounded())) %\(verdict)"
        ]
        for domain in blueprint.domains {
            guard let score = domains[domain.id] else { continue }
            lines.append("  \(domain.title): \(score.correctCount) of \(score.questionCount)")
        }
        return lines.joined(separator: "\n")
    }

    var json: JSONValue {
        .compact([
            "questions": .integer(total.questionCount), "correct": .integer(total.correctCount),
            "credit": .decimal(total.credit), "unanswered": .integer(total.unansweredCount),
            "seconds": .decimal(timeTaken), "passed": hasPassed.map { .bool($0) },
            "domains": .object(
                domains.mapValues {
                    [
                        "questions": .integer($0.questionCount),
                        "correct": .integer($0.correctCount), "credit": .decimal($0.credit),
                    ]
                }),
        ])
    }
}
