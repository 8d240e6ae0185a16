import Foundation
import Underway

/// A session with its bank while one step is taken: decisions without effects.
struct SessionRun {
    var session: StudySession
    let bank: QuestionFilter.Bank
    let now: Date
    private let days: LearningClock
    /// The place to show; `nil` for the question that is asked now.
    var shown: Int?
    /// True when the session must be saved.
    var isChanged = false
    private let seed: UInt64
    private let seen: [String: Int]
    /// The ids of the questions that study does not ask.
    private let setAside: Set<String>
    private let blueprint: Blueprint
    /// The questions by their id and version, of the present release and of the one before.
    private let questions: [String: [String: Question]]

    init(
        _ saved: SavedSession, _ blueprint: Blueprint, former: Blueprint? = nil,
        seen: [String: Int], setAside: Set<String>, now: Date, days: LearningClock, seed: UInt64
    ) {
        session = saved.session
        bank = saved.bank
        self.blueprint = blueprint
        self.now = now
        self.days = days
        self.seed = seed
        self.seen = seen
        self.setAside = setAside
        let asked = Set(saved.session.items.map(\.questionID))
        var questions: [String: [String: Question]] = [:]
        for question in (former?.questions ?? []) + blueprint.questions
        where asked.contains(question.id) {
            questions[question.id, default: [:]][question.contentVersion] = question
        }
        self.questions = questions
    }

    // MARK: Steps

    /// Begins the time of the question that is asked now: what was read before it does not count.
    mutating func look() throws {
        guard session.mode != .exam, shown ?? session.position == session.position else { return }
        try session.resume(now: now)
        isChanged = true
    }

    /// Rates the answer that was given last.
    mutating func rate(_ rating: Rating, at index: Int) throws {
        try expect(nil, at: index)
        try session.rate(rating, questionID: session.items[index].questionID, now: now)
        isChanged = true
    }

    /// Resumes a paused session, and leaves questions that a newer release changed or removed: their options are no longer
    /// those that the session shuffled.
    mutating func prepare() throws {
        if session.state == .paused {
            try session.resume(now: now)
            isChanged = true
        }
        if session.mode == .exam, session.current != nil {
            // Counts the time until now.
            try session.go(to: session.position, now: now)
            isChanged = true
        }
        while let item = session.current, item.answer == nil, question(item) == nil {
            try session.skip(now: now)
            isChanged = true
        }
    }

    /// Removes open questions that were set aside.
    ///
    /// Only before a question is shown: while a learner looks at one, no other may take its place.
    mutating func removeSetAside() {
        if session.removeOpen(setAside) { isChanged = true }
    }

    /// Throws if the question at a place is not the one that the learner saw there.
    func expect(_ question: String?, at index: Int) throws {
        // Another window undid an answer or set a question aside, so that there are fewer places.
        guard session.items.indices.contains(index) else { throw StudyProblem(.changed) }
        guard question == nil || question == session.items[index].questionID else {
            throw StudyProblem(.changed)
        }
    }

    /// Answers a question; the answer that is there already is no error.
    mutating func answer(_ response: QuestionResponse, at index: Int) throws {
        guard !response.isEmpty else { throw StudyProblem(.noResponse) }
        let item = session.items[index]
        if session.mode != .exam, let answer = item.answer {
            guard answer.response == response else { throw StudyProblem(.answeredElsewhere) }
            return
        }
        guard !session.isTimeOver(now: now) else { return }
        if session.mode == .exam, index != session.position {
            try session.go(to: index, now: now)
        }
        guard index == session.position, let question = question(item) else {
            throw StudyProblem(.changed)
        }
        try session.answer(response, to: question, now: now, in: days.timeZone)
        isChanged = true
    }

    /// Takes back the newest answer; an answer that was undone before is no error, as when a form is sent twice.
    mutating func undo(_ key: String) throws {
        guard !session.undone.contains(where: { $0.record.answerKey == key }) else { return }
        guard undoKey == nil || undoKey == key else { throw StudyProblem(.changed) }
        try session.undo(now: now, by: days)
        isChanged = true
    }

    /// The key of the answer that can be undone now; `nil` for none.
    var undoKey: String? { session.undoKey(now: now, by: days) }

    /// Goes to another question of an exam.
    mutating func go(to index: Int) throws {
        shown = index
        guard session.mode == .exam, index != session.position,
            session.items.indices.contains(index)
        else { return }
        try session.go(to: index, now: now)
        isChanged = true
    }

    /// Leaves a question of an exam for the next one or the one before, and saves the choice as the answer.
    ///
    /// The first and the last question stay.
    mutating func leave(_ index: Int, by step: Int, keeping response: QuestionResponse) throws {
        try expect(nil, at: index)
        try keep(response, at: index)
        guard session.state != .finished else { return }
        try go(to: min(max(0, index + step), session.items.count - 1))
    }

    /// Saves the choice in an exam as the answer; an order as it was shown is no choice.
    mutating func keep(_ response: QuestionResponse, at index: Int) throws {
        guard session.mode == .exam, !response.isEmpty else { return }
        let item = session.items[index]
        let isAsShown = question(item)?.type == .ordering && response.optionIDs == item.optionOrder
        guard item.answer?.response != response, item.answer != nil || !isAsShown else { return }
        try answer(response, at: index)
    }

    /// Leaves a question without an answer; one that was left before is no error.
    mutating func skip(at index: Int) throws {
        try expect(nil, at: index)
        guard index == session.position else { return }
        try session.skip(now: now)
        isChanged = true
    }

    /// Selects the next question of a placement test, and ends a session without time or questions left.
    ///
    /// A session whose last answer can still be rated continues until it is rated, or viewed again.
    mutating func moveOn() throws {
        guard session.state != .finished, session.awaitingRating == nil || !isRateable else {
            return
        }
        if session.isTimeOver(now: now) {
            session.finish(now: now)
            isChanged = true
            return
        }
        guard session.current == nil else { return }
        if session.mode == .placement {
            let course = try PlacementCourse(blueprint, session)
            if let entry = course.next(seed: seed, seen: seen) {
                var random = SeededRandom(seed: seed)
                session.append(entry, using: &random)
                isChanged = true
                return
            }
        }
        guard session.mode != .exam else { return }
        session.finish(now: now)
        isChanged = true
    }

    // MARK: Showing

    /// Returns an item's question; `nil` when neither release has it as it was.
    private func question(_ item: StudySession.Item) -> Question? {
        questions[item.questionID]?[item.contentVersion]
    }

    /// Returns the place to show: in a placement test always the one that is asked.
    private var place: Int? {
        let wanted = shown ?? session.position
        guard session.items.indices.contains(wanted) else {
            // An exam stays at its last question until it is handed in. A repeat that went with its answer leads to the
            // question that is asked now.
            return session.state == .finished
                ? nil
                : session.mode == .exam
                    ? session.items.indices.last
                    : session.items.indices.contains(session.position) ? session.position : nil
        }
        if session.state == .finished, session.mode != .study { return nil }
        if session.mode == .exam || wanted == session.position { return wanted }
        return session.mode == .study && session.items[wanted].answer != nil
            ? wanted : session.items.indices.contains(session.position) ? session.position : nil
    }

    /// The question to show; `nil` when the session has ended or the question no longer exists.
    var screen: SessionScreen? {
        guard let index = place.flatMap(shownPlace), let question = question(session.items[index])
        else { return nil }
        let item = session.items[index]
        let options = Dictionary(
            question.options.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let isPlacement = session.mode == .placement
        return SessionScreen(
            id: session.id, mode: session.mode, subject: Subject(blueprint, of: bank),
            index: index,
            count: isPlacement ? questionsMax : session.items.count, isCountMost: isPlacement,
            question: question, options: item.optionOrder.compactMap { options[$0] },
            domain: blueprint.domains.first { $0.id == question.domain }?.title,
            level: blueprint.levels[question.difficulty], response: item.answer?.response,
            verdict: verdict(item, question), isFlagged: item.isFlagged, isFavourite: false,
            images: [:],
            overview: session.mode == .exam ? overview : [], secondsLeft: secondsLeft,
            next: next(after: index),
            previous: session.mode == .exam && index > 0 ? index - 1 : nil, undoKey: undoKey)
    }

    /// Returns a place whose question is there: in an exam the next one, else the one before.
    private func shownPlace(_ index: Int) -> Int? {
        guard session.mode == .exam, question(session.items[index]) == nil else { return index }
        let there = session.items.indices.filter { question(session.items[$0]) != nil }
        return there.first { $0 > index } ?? there.last
    }

    private var questionsMax: Int {
        // A bank that cannot be placed shows the number of questions so far.
        (try? PlacementCourse(blueprint, answers: []).questionsMax) ?? session.items.count
    }

    private var overview: [SessionScreen.Place] {
        session.items.map { .init(isAnswered: $0.answer != nil, isFlagged: $0.isFlagged) }
    }

    private var secondsLeft: TimeInterval? {
        session.timeLimit.map { max(0, $0 - session.timeTaken) }
    }

    private func next(after index: Int) -> Int? {
        if session.mode == .exam {
            return index + 1 < session.items.count ? index + 1 : nil
        }
        return session.items.indices.contains(session.position) ? session.position : nil
    }

    /// True when the answer on the screen can be rated.
    var isRateable: Bool {
        guard let shown, let waiting = session.awaitingRating else { return false }
        return session.items.indices.contains(shown)
            && session.items[shown].id == waiting.id
    }

    private func verdict(
        _ item: StudySession.Item, _ question: Question
    ) -> SessionScreen.Verdict? {
        guard session.mode == .study, let answer = item.answer,
            let grade = try? Grading.grade(answer.response, to: question, policy: session.policy)
        else { return nil }
        return SessionScreen.Verdict(
            response: answer.response, grade: grade, next: nil, nextByRating: [:])
    }
}
