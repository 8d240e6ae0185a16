import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import StudyModel

/// One run of `study`: the session of the study app, asked line by line.
///
/// The view models of the app select questions, end tests and grade answers. A session that was begun on a page can
/// continue here, and the reverse.
@MainActor
struct StudyTerminal {
    let services: StudyServices
    let data: UnsavedStudyData
    let bank: QuestionFilter.Bank
    let mode: SessionMode
    let wishes: SessionWishes

    /// Asks until the session has ended, or the learner leaves it.
    ///
    /// - Parameter isFresh: True to end an open session instead of continuing it.
    /// - Throws: `StudyProblem`, `CommandFailure`.
    func run(isFresh: Bool) async throws {
        guard let id = try await begin(isFresh: isFresh) else { return }
        Console.say("Type the number of an option, nothing to skip, u to undo, or q to leave.")
        let model = SessionModel(services, id: id)
        while true {
            let isOver = try await ask(model)
            try await data.confirm()
            try await isOver ? sayResult(id) : sayLeft(model)
            guard isOver, await takesBack(model) else { break }
        }
        await model.fit?.value
        try data.throwIfUnsaved()
    }

    private func begin(isFresh: Bool) async throws -> String? {
        let start = SessionStart(services)
        if let open = try await start.open(bank, mode) {
            guard isFresh else {
                Console.say(
                    "Going on with the session that was broken off (--fresh begins anew).")
                if wishes != SessionWishes() {
                    Console.note("It asks what it began with; these options are for a new one.")
                }
                return open
            }
            await SessionModel(services, id: open).finish()
        }
        if mode == .study, wishes.offer == nil {
            let plan = try await start.outlook(of: bank, mode, wishes: wishes)
            if let forecast = plan.forecast { say(forecast) }
            if let backlog = plan.backlog {
                Console.say(backlog.sentence(await services.formats(language: "en")))
            }
        }
        do {
            return try await start.begin(bank, mode, wishes: wishes)
        } catch let problem as StudyProblem where problem.code == .nothingToAsk {
            try await sayNothingDue(start)
            return nil
        }
    }

    // MARK: Asking

    /// Asks question after question; returns false when the learner leaves.
    private func ask(_ model: SessionModel) async throws -> Bool {
        await model.load()
        if let left = model.screen?.secondsLeft {
            let time = await services.formats(language: "en").timeLeft(.seconds(left))
            Console.say("The time runs: \(time) left for all questions together.")
        }
        var asked: Set<Int> = []
        while !model.isOver {
            guard let screen = model.screen else { throw problem(of: model) }
            // An exam stays at its last question until it is handed in.
            if mode == .exam, !asked.insert(screen.index).inserted {
                await model.finish()
                continue
            }
            guard await askOne(screen, model) else {
                await model.pause()
                return false
            }
            await model.load()
        }
        return true
    }

    /// Asks a question until it is answered or skipped; returns false at the end of the input.
    private func askOne(_ screen: SessionScreen, _ model: SessionModel) async -> Bool {
        let order = screen.options.map(\.id)
        QuestionPrompt.show(screen.question, order: order, title: title(screen))
        while true {
            switch QuestionPrompt.read(screen.question, order: order) {
            case .leave: return false
            case .undo:
                await model.undo(screen.undoKey ?? "")
            case .response([]): await model.skip(at: screen.index)
            case .response(let response):
                await model.answer(response, at: screen.index, of: screen.question.id)
            }
            guard let problem = model.problem else {
                if let verdict = model.screen?.verdict { say(verdict, screen.question) }
                return true
            }
            guard problem.code != .changed, problem.code != .answeredElsewhere else {
                Console.say("The session went on elsewhere.")
                return true
            }
            Console.say(problem.sentence)
        }
    }

    /// Asks a person at the end of a session whether to undo the last answer; a script goes on.
    private func takesBack(_ model: SessionModel) async -> Bool {
        guard isatty(STDIN_FILENO) == 1, !Console.isJSON else { return false }
        let result = ResultModel(services, id: model.id)
        await result.load()
        guard let key = result.screen?.undoKey, QuestionPrompt.undoesAtTheEnd() else {
            return false
        }
        await model.undo(key)
        if let problem = model.problem { Console.say(problem.sentence) }
        return !model.isOver
    }

    private func title(_ screen: SessionScreen) -> String {
        screen.isCountMost ? "\(screen.index + 1)." : "\(screen.index + 1)/\(screen.count)"
    }

    private func problem(of model: SessionModel) -> StudyProblem {
        model.problem ?? StudyProblem(.changed, details: "The session was changed elsewhere.")
    }

    private func say(_ verdict: SessionScreen.Verdict, _ question: Question) {
        QuestionPrompt.say(verdict.grade, question)
        let next =
            switch verdict.next {
            case .days(let count): Console.count(count, "day")
            case .minutes(let count): Console.count(count, "minute")
            case nil: ""
            }
        if let record = verdict.setAside {
            Console.say("  " + record.sentence(StudyText(language: "en")))
        } else if !next.isEmpty {
            Console.say(Console.styled("  again in \(next)", .dim))
        }
    }

    // MARK: The end

    private func sayResult(_ id: String) async throws {
        let model = ResultModel(services, id: id)
        await model.load()
        guard let screen = model.screen else {
            throw model.problem ?? StudyProblem(.unreadable)
        }
        let formats = await services.formats(language: "en")
        Console.say(screen.text(formats), json: screen.json)
    }

    /// Prints the number of answers of a session that is not over.
    private func sayLeft(_ model: SessionModel) async throws {
        guard let session = try await data.savedSession(id: model.id)?.session, !data.isFailing
        else {
            return
        }
        let answered = session.items.count { $0.answer != nil }
        let saved = "\(Console.count(answered, "answer")) \(answered == 1 ? "is" : "are") saved"
        let (number, count) = (session.position + 1, session.items.count)
        let place =
            mode == .placement
            ? "question \(number)" : number > count ? "its end" : "question \(number) of \(count)"
        Console.say(
            "\nLeft: \(saved), the session is kept at \(place); start again to go on with it.",
            json: [
                "finished": false, "answered": .integer(answered),
                "questions": .integer(session.items.count),
            ])
    }

    private func say(_ forecast: StudyPlan.Forecast) {
        Console.say(
            "\(Console.count(forecast.daysLeft, "day")) left: of \(forecast.questionCount)"
                + " questions you would know \(Int(forecast.expectedMarksWithoutReviews.rounded()))"
                + " without reviews, \(Int(forecast.expectedMarks.rounded()))"
                + " with \(forecast.reviewsPerDay) a day.")
    }

    private func sayNothingDue(_ start: SessionStart) async throws {
        let plan = try await start.outlook(of: bank, mode, wishes: wishes)
        Console.say(
            nothingDue(plan),
            json: ["questions": 0, "due": .string(plan.nextDue?.date ?? "")])
        guard mode == .study, wishes == SessionWishes() else { return }
        let formats = await services.formats(language: "en")
        for offer in try await start.offers(of: bank) {
            let time = formats.about(.seconds(offer.seconds))
            Console.say("\(offer.title(formats)), \(time): --practise \(offer.kind.rawValue)")
        }
    }

    private func nothingDue(_ plan: StudyPlan) -> String {
        guard wishes.deadline == nil else { return "The plan for the exam asks nothing today." }
        guard let next = plan.nextDue else {
            return plan.newCount == 0
                ? "There is no question that fits."
                : "Nothing is due, and --new 0 asks nothing new."
        }
        let days = next - services.today
        guard days > 0 else {
            return wishes.criteria == QuestionCriteria()
                ? "Today's limit is used up; the rest is due tomorrow."
                : "No question that fits is due now."
        }
        let isNewTomorrow = plan.newCount > 0 && wishes.newCards != 0
        return "Nothing is due now; the next question is due on \(next.date), in "
            + Console.count(days, "day") + (isNewTomorrow ? ". New ones come tomorrow." : ".")
    }
}

extension StudyProblem {
    /// The details, or the sentence of the code.
    fileprivate var sentence: String {
        details.isEmpty ? StudyText(language: "en")[code.key] : details
    }
}
