public import ContentModel
public import Foundation

/// A run through questions, as a value: stored after each step, it can be resumed after a crash.
///
/// The caller passes the time. Only time with a question on the screen counts. A clock that jumps back adds nothing;
/// one that jumps ahead adds at most `stepSecondsMax`.
///
/// ```swift
/// let question = Question(
///     id: "q1", type: .singleChoice, difficulty: 1, stem: "1 + 1?",
///     options: [QuestionOption(id: "a", text: "2"), QuestionOption(id: "b", text: "3")],
///     correct: [0])
/// var random = SystemRandomNumberGenerator()
/// var session = StudySession(
///     id: "s1", mode: .study, entries: [.init(question, exposuresBefore: 0)], now: .now, using: &random)
/// let grade = try session.answer(["a"], to: question, now: .now)
/// print(grade.isCorrect, session.records.count, session.state)
/// ```
public struct StudySession: Sendable, Hashable, Codable, Identifiable {
    /// The state of a session.
    public enum State: String, Sendable, Hashable, Codable {
        /// A question is on the screen.
        case running
        /// No question is on the screen, and no time counts.
        case paused
        /// The session is over.
        case finished
    }

    /// The maximum time that counts between two steps, in seconds.
    public static let stepSecondsMax: TimeInterval = 3_600

    /// The session's id, globally unique: a part of each answer's identity.
    public let id: String
    /// The purpose.
    public let mode: SessionMode
    /// The scoring policy.
    public let policy: ScoringPolicy
    /// The time limit in seconds on the screen, for all questions together.
    public let timeLimit: TimeInterval?
    /// True when right answers are rated, see ``rate(_:questionID:now:)``; always false in an exam, which shows the
    /// right answers only at its end.
    public let ratesAnswers: Bool
    /// True when a wrong answer puts its question in again, see ``repeatsMax``; always false except in study.
    public let repeatsToday: Bool
    /// The time at which it began.
    public let startedAt: Date
    /// The questions in the order in which they are asked.
    public internal(set) var items: [Item]
    /// The index of the question on the screen; the number of questions at the end.
    public internal(set) var position = 0
    /// The state.
    public internal(set) var state = State.running
    /// The answers that were undone, in the order of their undos.
    public internal(set) var undone: [Undone] = []
    /// The ids of the items whose answers can be undone, the newest last.
    var undoableItems: [String] = []
    /// The time of the last step, from which the next one counts.
    var lastStep: Date

    /// Begins a session; options are shuffled once, so their order is stable.
    ///
    /// - Parameters:
    ///   - id: The session's id, globally unique, such as a UUID.
    ///   - mode: The purpose.
    ///   - entries: The questions in the order in which to ask them.
    ///   - policy: The scoring policy.
    ///   - timeLimit: The time limit in seconds, for all questions together.
    ///   - ratesAnswers: True to rate right answers; ignored in an exam.
    ///   - repeatsToday: True to ask wrongly answered questions again; ignored except in study.
    ///   - now: The current time.
    ///   - generator: The random generator of the order of options.
    public init(
        id: String, mode: SessionMode, entries: [Entry], policy: ScoringPolicy = ScoringPolicy(),
        timeLimit: TimeInterval? = nil, ratesAnswers: Bool = false, repeatsToday: Bool = false,
        now: Date, using generator: inout some RandomNumberGenerator
    ) {
        self.id = id
        self.mode = mode
        self.policy = policy
        self.timeLimit = timeLimit
        self.ratesAnswers = ratesAnswers && mode != .exam
        self.repeatsToday = repeatsToday && mode == .study
        startedAt = now
        lastStep = now
        items = []
        for entry in entries { append(entry, using: &generator) }
    }

    /// The question on the screen; `nil` at the end.
    public var current: Item? { items.indices.contains(position) ? items[position] : nil }

    /// The total time of the questions on the screen, in seconds.
    public var timeTaken: TimeInterval {
        undone.reduce(items.reduce(0) { $0 + $1.timeTaken }) { $0 + $1.record.timeTaken }
    }

    /// The answers to store with those that were undone, without one that awaits its rating; those of an exam once it
    /// is over.
    public var records: [AnswerRecord] {
        guard mode != .exam || state == .finished else { return [] }
        return undone.map(\.record) + items.compactMap { awaitsRating($0) ? nil : record($0) }
    }

    func record(_ item: Item) -> AnswerRecord? {
        guard let answer = item.answer else { return nil }
        return AnswerRecord(
            sessionID: id, questionID: item.questionID, domain: item.domain,
            contentVersion: item.contentVersion,
            response: answer.response, isCorrect: answer.isCorrect, credit: answer.credit,
            rating: answer.rating, timeTaken: item.timeTaken, exposuresBefore: item.exposuresBefore,
            mode: AnswerMode(mode, isRepeat: !item.isFirst || item.wasUndone),
            isRandomlySelected: item.isRandomlySelected, date: answer.date,
            offsetMinutes: answer.offsetMinutes)
    }
}

// MARK: Steps

extension StudySession {
    /// Records the answer to the question on the screen and moves to the next open one.
    ///
    /// - Parameters:
    ///   - response: The learner's response.
    ///   - question: The question on the screen, with its key.
    ///   - now: The current time.
    ///   - timeZone: The learner's zone, which determines the day of the answer.
    /// - Returns: The credit and the feedback.
    /// - Throws: `StudySessionError`; the session is then unchanged.
    @discardableResult
    public mutating func answer(
        _ response: QuestionResponse, to question: Question, now: Date,
        in timeZone: TimeZone = .current
    ) throws(StudySessionError) -> Grade {
        try checkIsRunning()
        guard let item = current else { throw .nothingLeft }
        guard item.questionID == question.id else { throw .notOnScreen(question: question.id) }
        guard mode == .exam || item.answer == nil else {
            throw .answeredBefore(question: question.id)
        }
        let taken = item.timeTaken + seconds(until: now)
        let grade: Grade
        do throws(GradingError) {
            grade = try Grading.grade(
                response, to: question, policy: policy, timeTaken: taken)
        } catch {
            throw .grading(error)
        }
        endRating()
        count(now)
        items[position].answer = Answer(
            response: response, isCorrect: grade.isCorrect, credit: grade.credit, date: now,
            rating: ratesAnswers && !grade.isCorrect ? .again : nil,
            offsetMinutes: LearningClock(timeZone: timeZone).offsetMinutes(at: now))
        items[position].isSkipped = false
        addUndoable(items[position])
        addRepeat(of: position)
        goOn()
        return grade
    }

    /// Skips the question on the screen.
    ///
    /// - Throws: `StudySessionError`; the session is then unchanged.
    public mutating func skip(now: Date) throws(StudySessionError) {
        try checkIsRunning()
        guard current != nil else { throw .nothingLeft }
        endRating()
        count(now)
        if items[position].answer == nil { items[position].isSkipped = true }
        goOn()
    }

    /// Sets or removes the flag of a question.
    ///
    /// - Throws: `StudySessionError.noSuchItem`, or `finished`.
    public mutating func flag(_ index: Int, _ isFlagged: Bool = true) throws(StudySessionError) {
        guard state != .finished else { throw .finished }
        guard items.indices.contains(index) else { throw .noSuchItem(index) }
        items[index].isFlagged = isFlagged
    }

    /// Shows another question.
    ///
    /// - Throws: `StudySessionError`; the session is then unchanged.
    public mutating func go(to index: Int, now: Date) throws(StudySessionError) {
        try checkIsRunning()
        guard items.indices.contains(index) else { throw .noSuchItem(index) }
        endRating()
        count(now)
        position = index
    }

    /// Pauses the session; it has no effect on a paused one.
    ///
    /// - Throws: `StudySessionError.finished`.
    public mutating func pause(now: Date) throws(StudySessionError) {
        guard state != .finished else { throw .finished }
        if state == .running { count(now) }
        state = .paused
    }

    /// Resumes the session after a pause, or after a crash that left it running.
    ///
    /// The time since the last step does not count.
    /// - Throws: `StudySessionError.finished`.
    public mutating func resume(now: Date) throws(StudySessionError) {
        guard state != .finished else { throw .finished }
        state = .running
        lastStep = now
    }

    /// Ends the session without its open repeats; it has no effect on a finished one.
    ///
    /// Repeats that were answered are then the last items.
    public mutating func finish(now: Date) {
        endRating()
        if state == .running { count(now) }
        endRepeats()
        state = .finished
    }

    /// Returns true when the session's time limit has passed.
    public func isTimeOver(now: Date) -> Bool {
        guard let timeLimit else { return false }
        return timeTaken + (state == .running ? seconds(until: now) : 0) >= timeLimit
    }

    func checkIsRunning() throws(StudySessionError) {
        switch state {
        case .running: return
        case .paused: throw .paused
        case .finished: throw .finished
        }
    }

    /// Returns the time since the last step, limited to `stepSecondsMax`.
    private func seconds(until now: Date) -> TimeInterval {
        let passed = now.timeIntervalSince(lastStep)
        return passed > 0 ? min(passed, Self.stepSecondsMax) : 0
    }

    mutating func count(_ now: Date) {
        if items.indices.contains(position) { items[position].timeTaken += seconds(until: now) }
        lastStep = now
    }

    /// Moves to the next question that was neither answered nor skipped.
    private mutating func goOn() {
        let after = items.indices.first { $0 > position && items[$0].isOpen }
        position = after ?? items.count
    }
}
