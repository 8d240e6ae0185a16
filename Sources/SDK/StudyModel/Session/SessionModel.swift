import Foundation
public import Observation
public import Underway

/// A session on the screen: one question at a time, saved after each step.
///
/// The store has all state: a model that is created for each request of a page behaves like one that lives as long as a
/// view.
@MainActor @Observable
public final class SessionModel {
    /// The question on the screen; `nil` before ``load(at:)``, and when the session has ended.
    public private(set) var screen: SessionScreen?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?
    /// True when the session has ended: show its result.
    public private(set) var isOver = false

    /// The session's id.
    public nonisolated let id: String
    @ObservationIgnored let services: StudyServices
    /// The step of the memory model that the end of the session began; `nil` before it.
    @ObservationIgnored public private(set) var fit: Task<Void, Never>?

    /// Creates the model of a session.
    public init(_ services: StudyServices, id: String) {
        self.services = services
        self.id = id
    }

    // MARK: Steps

    /// Shows a question.
    ///
    /// - Parameter index: The place of an answered question, or any of an exam; `nil` for the question to answer now.
    public func load(at index: Int? = nil) async {
        await step { run in
            run.removeSetAside()
            if let index { try run.go(to: index) }
            try run.look()
        }
    }

    /// Answers the question at a place, once; in an exam the answer can be changed.
    ///
    /// Repeating the same answer shows the saved one, so that a form sent twice counts once.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - index: The place.
    ///   - question: The id of the question that the learner saw there; another window may have changed the places. `nil`
    ///     for the one that is there now.
    public func answer(
        _ response: QuestionResponse, at index: Int, of question: String? = nil
    ) async {
        await step(isAnswer: true) { run in
            run.shown = index
            try run.expect(question, at: index)
            try run.answer(response, at: index)
        }
    }

    /// Rates the answer to the question at a place, if the session allows ratings.
    public func rate(_ rating: Rating, at index: Int) async {
        await step { run in
            try run.rate(rating, at: index)
            run.shown = nil
        }
    }

    /// Skips the question at a place; in an exam it can be answered later, and the next one is shown.
    ///
    /// - Parameters:
    ///   - index: The place.
    ///   - response: The choice on the screen, which an exam saves as the answer.
    public func skip(at index: Int, keeping response: QuestionResponse = []) async {
        await step { run in
            run.shown = nil
            guard run.session.mode == .exam else { return try run.skip(at: index) }
            try run.leave(index, by: 1, keeping: response)
        }
    }

    /// Shows the question of an exam before the one at a place.
    ///
    /// - Parameters:
    ///   - index: The place.
    ///   - response: The choice on the screen, which is saved as the answer.
    public func goBack(from index: Int, keeping response: QuestionResponse = []) async {
        await step { run in
            run.shown = index
            guard run.session.mode == .exam else { return }
            try run.leave(index, by: -1, keeping: response)
        }
    }

    /// Takes back the newest answer, also of a session that has ended, and asks its question anew.
    ///
    /// - Parameter key: The ``SessionScreen/undoKey`` or ``ResultScreen/undoKey`` that the learner saw; another one has
    ///   no effect.
    public func undo(_ key: String) async {
        await step(continuing: true) { run in
            run.shown = nil
            try run.undo(key)
        }
        guard problem == nil, let screen else { return }
        do {
            try await askUndone(screen.question.id, of: screen.subject.bank)
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Lets study ask a question again that the undone answer had set aside.
    private func askUndone(_ question: String, of bank: QuestionFilter.Bank) async throws {
        let now = services.now
        let lapses = try await services.schedules(of: bank, now: now)[question]?.schedule.lapses
        try await services.change {
            try $0.undoSetAside(question, of: bank, lapses: lapses ?? 0, now: $1)
        }
    }

    /// Sets or removes the flag of the question at a place.
    ///
    /// - Parameters:
    ///   - index: The place.
    ///   - isFlagged: True to flag it.
    ///   - response: The choice on the screen, which an exam saves as the answer.
    public func flag(
        at index: Int, _ isFlagged: Bool, keeping response: QuestionResponse = []
    ) async {
        await step { run in
            run.shown = index
            try run.session.flag(index, isFlagged)
            run.isChanged = true
            try run.keep(response, at: index)
        }
    }

    /// Ends the session, for example when an exam is handed in; open questions count as unanswered.
    public func finish() async {
        await step { run in
            run.session.finish(now: run.now)
            run.isChanged = true
        }
    }

    /// Pauses the session, so that no time counts until it resumes.
    public func pause() async {
        await step { run in
            try run.session.pause(now: run.now)
            run.isChanged = true
        }
    }

    /// Adds the question at a place to the favourites, or removes it.
    public func setFavourite(at index: Int, _ isFavourite: Bool) async {
        do {
            let run = try await opened()
            try run.expect(nil, at: index)
            let question = run.session.items[index].questionID
            try await services.change {
                if isFavourite {
                    try $0.put(Favourite(bank: run.bank), id: question, now: $1)
                } else {
                    try $0.delete(Favourite.self, id: question, now: $1)
                }
            }
            await load(at: index)
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Lets study ask the question on the screen again that is set aside.
    public func askAgain() async {
        guard let screen else { return }
        let model = SetAsideModel(services)
        await model.set(false, screen.question.id, of: screen.subject.bank)
        await load(at: screen.index)
        problem = problem ?? model.problem
    }

    // MARK: One step

    private func opened() async throws -> SessionRun {
        try await services.readDay()
        guard let saved = try await services.userData.savedSession(id: id) else {
            throw StudyProblem(.notFound)
        }
        let blueprint = try await services.content.perform { try $0.blueprint(saved.bank).value }
        var former: Blueprint?
        if !saved.session.isCurrent(with: blueprint) {
            // New content waits for the next session: this one goes on with the questions that it began with.
            former = try await services.content.perform { try $0.formerBlueprint(saved.bank) }
        }
        let seen =
            saved.session.mode == .placement
            ? try await SessionStart(services).answerCounts(of: saved.bank) : [:]
        let setAside = try await setAside(in: saved)
        return SessionRun(
            saved, blueprint, former: former, seen: seen, setAside: setAside,
            now: services.clock(), days: services.days, seed: services.makeSeed())
    }

    /// Returns the ids of the questions that study does not ask, for a study session that asks another question.
    private func setAside(in saved: SavedSession) async throws -> Set<String> {
        guard saved.session.mode == .study, saved.session.current != nil else { return [] }
        return try await services.userData.perform { [bank = saved.bank] in
            Set(try $0.setAsideQuestions(of: bank).map(\.question))
        }
    }

    /// Loads the session, performs a step, saves it, and shows the outcome; a failure changes nothing.
    ///
    /// - Parameters:
    ///   - continues: True for a step that a finished session takes too.
    ///   - isAnswer: True for an answer, which is not lost in silence if the session has ended.
    ///   - body: The step.
    private func step(
        continuing continues: Bool = false, isAnswer: Bool = false,
        _ body: (inout SessionRun) throws -> Void
    ) async {
        do {
            let before = try await opened()
            var run = before
            problem = nil
            if continues || run.session.state != .finished {
                try run.prepare()
                do {
                    try body(&run)
                } catch {
                    problem = StudyProblem(error)
                }
                try run.moveOn()
                run = await saved(run, or: before)
            } else {
                // Only for the place to show: a finished session takes no step.
                do {
                    try body(&run)
                } catch {
                    if isAnswer { problem = StudyProblem(error) }
                }
            }
            try await show(run)
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Saves the changes of a step; after a failure, returns the former session, so that the question and the choice
    /// remain on the screen.
    private func saved(_ run: SessionRun, or before: SessionRun) async -> SessionRun {
        guard run.isChanged else { return run }
        do {
            try await services.userData.saveSession(run.session, of: run.bank, now: run.now)
            if run.session.state == .finished { fitMemory() }
            return run
        } catch {
            problem = StudyProblem(error)
            if let error = error as? StoreError, error.code == .refused {
                problem?.code = .answeredElsewhere
            }
            var kept = before
            kept.shown = run.shown
            return kept
        }
    }

    private func fitMemory() {
        fit = Task(priority: .utility) { [fit = MemoryFit(services)] in
            // A step that failed is taken after the next session.
            _ = try? await fit.step()
        }
    }

    private func show(_ run: SessionRun) async throws {
        isOver = run.session.state == .finished
        // A session that was ended elsewhere asks its open questions no more.
        guard var screen = run.screen, !isOver || screen.mode != .study || screen.verdict != nil
        else { return self.screen = nil }
        let favourite = try await services.userData.perform { [id = screen.question.id] in
            try $0.record(Favourite.self, id: id)
        }
        screen.isFavourite = favourite?.bank == run.bank.name
        let files = QuestionFiles(services)
        screen.images = try await files.images(of: screen.question, in: run.bank)
        screen.pictureSizes = await files.sizes(screen.images)
        screen.clip = try await files.clip(of: screen.question, in: run.bank)
        if screen.verdict != nil {
            screen.reporting = try await ReportLoader(services).reporting(
                screen.question.id, of: run.bank)
            let studied = try await services.schedules(of: run.bank, now: services.now)
            let scheduler = try await services.scheduler(of: run.bank)
            screen.verdict?.next = studied[screen.question.id].flatMap {
                StudyInterval(until: $0.schedule, now: services.now, in: services.days)
            }
            screen.verdict?.setAside = try await setAside(studied[screen.question.id], run)
            if run.isRateable {
                screen.verdict?.nextByRating = ratings(
                    studied[screen.question.id], run, scheduler)
            }
        }
        self.screen = screen
    }

    /// Sets the question aside if it was missed on too many days.
    ///
    /// - Returns: The record of a question that is set aside.
    private func setAside(
        _ studied: StudiedQuestion?, _ run: SessionRun
    ) async throws -> SetAsideQuestion? {
        guard let studied else { return nil }
        return try await services.userData.perform { store in
            do {
                try store.setAsideMissed([studied.id: studied], of: run.bank, now: run.now)
            } catch let error as StoreError where error.code == .storage {
                // Studying goes on with a full disk; the question is set aside later.
            }
            return try store.setAsideQuestion(studied.id, of: run.bank)
        }
    }

    /// Returns the time until the question comes again after each rating of a right answer.
    private func ratings(
        _ studied: StudiedQuestion?, _ run: SessionRun, _ scheduler: ReviewScheduler
    ) -> [Rating: StudyInterval] {
        var intervals: [Rating: StudyInterval] = [:]
        for rating in [Rating.hard, .good, .easy] {
            let next = scheduler.schedule(
                studied?.schedule ?? .new, after: rating, at: services.now,
                in: services.calendar.timeZone)
            intervals[rating] = StudyInterval(until: next, now: services.now, in: services.days)
        }
        return intervals
    }
}
