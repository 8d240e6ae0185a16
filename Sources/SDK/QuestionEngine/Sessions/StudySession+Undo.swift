public import Foundation

extension StudySession {
    /// An answer that the learner undid: it stays stored, and a retraction is stored beside it.
    public struct Undone: Sendable, Hashable, Codable {
        /// The answer as it was given.
        public let record: AnswerRecord
        /// The time of the undo, never before that of the answer.
        public let date: Date
        /// The minutes by which the learner's zone was then ahead of UTC.
        public let offsetMinutes: Int?
    }

    /// The maximum number of answers that can be undone one after another.
    public static let undoStepsMax = 20
    /// The maximum time from an answer to its undo, in seconds.
    private static let undoSecondsMax: TimeInterval = 24 * 60 * 60

    /// Takes back the newest answer of a study session that was not undone: its question is asked anew, and the repeat
    /// that followed from the answer goes.
    ///
    /// A finished session continues. The learner saw the verdict, so the next answer in this place is a repeat with a
    /// higher number of exposures. Save the session afterwards.
    ///
    /// ```swift
    /// let question = Question(
    ///     id: "q1", type: .singleChoice, difficulty: 1, stem: "1 + 1?",
    ///     options: [QuestionOption(id: "a", text: "2"), QuestionOption(id: "b", text: "3")],
    ///     correct: [0])
    /// var random = SystemRandomNumberGenerator()
    /// var session = StudySession(
    ///     id: "s1", mode: .study, entries: [.init(question, exposuresBefore: 0)], now: .now, using: &random)
    /// try session.answer(["b"], to: question, now: .now)
    /// try session.undo(now: .now)
    /// print(session.current?.exposuresBefore ?? 0, session.undone.count)  // 1 1
    /// ```
    /// - Parameters:
    ///   - now: The current time.
    ///   - clock: The clock of the learner's days.
    /// - Returns: The answer with the time of its undo.
    /// - Throws: `StudySessionError` with the code `notUndoable` in an exam and a placement test, for an answer of
    ///   another day, and without an answer among the newest ``undoStepsMax``; `sessionPaused`. The session is then
    ///   unchanged.
    @discardableResult
    public mutating func undo(
        now: Date, by clock: LearningClock = LearningClock()
    ) throws(StudySessionError) -> Undone {
        guard state != .paused else { throw .paused }
        let index = try undoableIndex(now: now, by: clock)
        endRating()
        if state == .running { count(now) }
        guard let record = record(items[index]) else { throw .nothingToUndo }
        let undone = Undone(
            record: record, date: max(now, record.date),
            offsetMinutes: clock.offsetMinutes(at: now))
        self.undone.append(undone)
        undoableItems.removeLast()
        removeRepeat(of: items[index])
        items[index].reopen(exposuresBefore: nextExposures(of: record.questionID))
        position = index
        state = .running
        lastStep = now
        return undone
    }

    /// Returns the item whose answer ``undo(now:by:)`` would take back; `nil` if it would throw.
    public func undoable(now: Date, by clock: LearningClock = LearningClock()) -> Item? {
        // The reason is of no use to a screen that offers no undo.
        (try? undoableIndex(now: now, by: clock)).map { items[$0] }
    }

    /// Adds an answered item to those that can be undone.
    mutating func addUndoable(_ item: Item) {
        guard mode == .study else { return }
        undoableItems.append(item.id)
        undoableItems.removeFirst(max(0, undoableItems.count - Self.undoStepsMax))
    }

    private func undoableIndex(
        now: Date, by clock: LearningClock
    ) throws(StudySessionError) -> Int {
        guard mode == .study else { throw .examNotUndoable }
        guard let id = undoableItems.last,
            let index = items.firstIndex(where: { $0.id == id }), let answer = items[index].answer
        else { throw .nothingToUndo }
        let offset = answer.offsetMinutes ?? clock.offsetMinutes(at: answer.date)
        let day = LearningClock.day(
            of: answer.date, offsetMinutes: offset, rolloverHour: clock.rolloverHour)
        guard day == clock.day(of: now),
            now.timeIntervalSince(answer.date) <= Self.undoSecondsMax
        else { throw .ofAnotherDay }
        return index
    }
}

extension StudySession.Item {
    /// Makes the item ask its question anew, whose verdict the learner has seen.
    fileprivate mutating func reopen(exposuresBefore count: Int) {
        answer = nil
        isSkipped = false
        timeTaken = 0
        exposuresBefore = count
        wasUndone = true
    }
}
