public import ContentModel
public import Foundation

/// A run through questions, as a value: kept after each step, it is taken up again after a crash.
///
/// Time comes from the caller. Only the time while a question is on the screen counts; a clock that
/// jumps back adds nothing, one that jumps ahead at most `stepSecondsMax`.
public struct StudySession: Sendable, Hashable, Codable {
    /// A question of the session and what became of it.
    public struct Item: Sendable, Hashable, Codable {
        /// The question's id.
        public let questionID: String
        /// The checksum or version of its content.
        public let contentVersion: String
        /// The domain, for the result.
        public let domain: String?
        /// The ids of the options in the order in which to show them.
        public let optionOrder: [String]
        /// How often the learner had seen it before.
        public let exposuresBefore: Int
        /// True when chance alone chose it.
        public let isRandomlySelected: Bool
        /// A mark of the learner, to come back to it.
        public var isFlagged = false
        /// The seconds that it was on the screen.
        public internal(set) var timeTaken: TimeInterval = 0
        /// The answer; `nil` while there is none.
        public internal(set) var answer: Answer?
        /// True when the learner passed it over.
        public internal(set) var isSkipped = false
    }

    /// An answer with its worth.
    public struct Answer: Sendable, Hashable, Codable {
        /// The learner's response.
        public let response: QuestionResponse
        /// Whether it matched the key.
        public let isCorrect: Bool
        /// What it is worth.
        public let credit: Double
        /// When it was given.
        public let date: Date

        /// The chosen options; none for a response of another kind.
        public var optionIDs: [String] { response.optionIDs }

        /// Names as earlier versions wrote them, so that an open session of theirs goes on.
        private enum CodingKeys: String, CodingKey {
            case response = "optionIDs"
            case isCorrect, credit, date
        }
    }

    /// A question on its way into a session.
    public struct Entry: Sendable {
        /// The question.
        public var question: Question
        /// The checksum or version of its content.
        public var contentVersion: String
        /// How often the learner has seen it.
        public var exposuresBefore: Int
        /// True when chance alone chose it.
        public var isRandomlySelected: Bool

        /// Describes a question.
        public init(
            _ question: Question, contentVersion: String, exposuresBefore: Int = 0,
            isRandomlySelected: Bool = false
        ) {
            self.question = question
            self.contentVersion = contentVersion
            self.exposuresBefore = exposuresBefore
            self.isRandomlySelected = isRandomlySelected
        }
    }

    /// Where a session stands.
    public enum State: String, Sendable, Hashable, Codable {
        /// A question is on the screen.
        case running
        /// Nothing is on the screen; time stands still.
        case paused
        /// Over.
        case finished
    }

    /// Why a step is not possible.
    public enum Failure: Error, Hashable, Sendable {
        /// The session is paused.
        case paused
        /// The session is over.
        case finished
        /// All questions are done.
        case nothingLeft
        /// There is no question of that index.
        case noSuchItem(Int)
        /// The question is not the one on the screen.
        case notOnScreen(question: String)
        /// The question was answered, and answers of this mode stay as they are.
        case answeredBefore(question: String)
        /// The answer cannot be graded.
        case grading(GradingFailure)
    }

    /// The longest time that counts between two steps, in seconds.
    public static let stepSecondsMax: TimeInterval = 3_600

    /// Unique for ever: a part of each answer's identity.
    public let id: String
    /// What it is for.
    public let mode: SessionMode
    /// How answers are worth.
    public let policy: ScoringPolicy
    /// After so many seconds on the screen, all questions together, the session is over.
    public let timeLimit: TimeInterval?
    /// When it began.
    public let startedAt: Date
    /// The questions in the order in which they are asked.
    public internal(set) var items: [Item]
    /// The index of the question on the screen; the number of questions when all are done.
    public private(set) var position = 0
    /// Where it stands.
    public private(set) var state = State.running
    private var lastStep: Date

    /// Begins a session; options are shuffled now, so that they stay where they are.
    ///
    /// - Parameters:
    ///   - id: Unique for ever, such as a UUID.
    ///   - mode: What it is for.
    ///   - entries: The questions in the order in which to ask them.
    ///   - policy: How answers are worth.
    ///   - timeLimit: In seconds, for all questions together.
    ///   - now: The moment.
    ///   - generator: Chance for the order of options.
    public init(
        id: String, mode: SessionMode, entries: [Entry], policy: ScoringPolicy = ScoringPolicy(),
        timeLimit: TimeInterval? = nil, now: Date,
        using generator: inout some RandomNumberGenerator
    ) {
        self.id = id
        self.mode = mode
        self.policy = policy
        self.timeLimit = timeLimit
        startedAt = now
        lastStep = now
        items = []
        for entry in entries { append(entry, using: &generator) }
    }

    /// Adds a question to the end, as an adaptive test does.
    public mutating func append(
        _ entry: Entry, using generator: inout some RandomNumberGenerator
    ) {
        items.append(
            Item(
                questionID: entry.question.id, contentVersion: entry.contentVersion,
                domain: entry.question.domain,
                optionOrder: entry.question.optionsInRandomOrder(using: &generator).map(\.id),
                exposuresBefore: max(0, entry.exposuresBefore),
                isRandomlySelected: entry.isRandomlySelected))
    }

    /// The question on the screen; `nil` when all are done.
    public var current: Item? { items.indices.contains(position) ? items[position] : nil }

    /// The seconds that questions were on the screen.
    public var timeTaken: TimeInterval { items.reduce(0) { $0 + $1.timeTaken } }

    /// The answers as they are to be kept; those of an exam when it is over.
    public var records: [AnswerRecord] {
        guard mode != .exam || state == .finished else { return [] }
        return items.compactMap { record($0) }
    }

    private func record(_ item: Item) -> AnswerRecord? {
        guard let answer = item.answer else { return nil }
        return AnswerRecord(
            sessionID: id, questionID: item.questionID, domain: item.domain,
            contentVersion: item.contentVersion,
            response: answer.response, isCorrect: answer.isCorrect, credit: answer.credit,
            timeTaken: item.timeTaken, exposuresBefore: item.exposuresBefore, mode: mode,
            isRandomlySelected: item.isRandomlySelected, date: answer.date)
    }
}

// MARK: Steps

extension StudySession {
    /// Answers the question on the screen and goes on to the next that is open.
    ///
    /// - Parameters:
    ///   - response: The learner's response.
    ///   - question: The question on the screen, with its key.
    ///   - now: The moment.
    /// - Returns: What the answer is worth and what to tell the learner.
    /// - Throws: `Failure`; the session is then as it was.
    @discardableResult
    public mutating func answer(
        _ response: QuestionResponse, to question: Question, now: Date
    ) throws(Failure) -> Grade {
        try checkIsRunning()
        guard let item = current else { throw .nothingLeft }
        guard item.questionID == question.id else { throw .notOnScreen(question: question.id) }
        guard mode == .exam || item.answer == nil else {
            throw .answeredBefore(question: question.id)
        }
        let taken = item.timeTaken + seconds(until: now)
        let grade: Grade
        do throws(GradingFailure) {
            grade = try Grading.grade(
                response, to: question, policy: policy, timeTaken: taken)
        } catch {
            throw .grading(error)
        }
        count(now)
        items[position].answer = Answer(
            response: response, isCorrect: grade.isCorrect, credit: grade.credit, date: now)
        items[position].isSkipped = false
        goOn()
        return grade
    }

    /// Passes the question on the screen over.
    ///
    /// - Throws: `Failure`; the session is then as it was.
    public mutating func skip(now: Date) throws(Failure) {
        try checkIsRunning()
        guard current != nil else { throw .nothingLeft }
        count(now)
        if items[position].answer == nil { items[position].isSkipped = true }
        goOn()
    }

    /// Marks a question, or takes the mark away.
    ///
    /// - Throws: `Failure.noSuchItem`, or `finished`.
    public mutating func flag(_ index: Int, _ isFlagged: Bool = true) throws(Failure) {
        guard state != .finished else { throw .finished }
        guard items.indices.contains(index) else { throw .noSuchItem(index) }
        items[index].isFlagged = isFlagged
    }

    /// Brings another question on the screen.
    ///
    /// - Throws: `Failure`; the session is then as it was.
    public mutating func go(to index: Int, now: Date) throws(Failure) {
        try checkIsRunning()
        guard items.indices.contains(index) else { throw .noSuchItem(index) }
        count(now)
        position = index
    }

    /// Stops the time.
    ///
    /// - Throws: `Failure.finished`; pausing twice does no harm.
    public mutating func pause(now: Date) throws(Failure) {
        guard state != .finished else { throw .finished }
        if state == .running { count(now) }
        state = .paused
    }

    /// Goes on after a pause, or after a crash that left the session running.
    ///
    /// The time since the last step does not count.
    /// - Throws: `Failure.finished`.
    public mutating func resume(now: Date) throws(Failure) {
        guard state != .finished else { throw .finished }
        state = .running
        lastStep = now
    }

    /// Ends the session; ending it twice does no harm.
    public mutating func finish(now: Date) {
        if state == .running { count(now) }
        state = .finished
    }

    /// True when the session's time is over at a moment.
    public func isTimeOver(now: Date) -> Bool {
        guard let timeLimit else { return false }
        return timeTaken + (state == .running ? seconds(until: now) : 0) >= timeLimit
    }

    private func checkIsRunning() throws(Failure) {
        switch state {
        case .running: return
        case .paused: throw .paused
        case .finished: throw .finished
        }
    }

    /// The time since the last step, kept within reason.
    private func seconds(until now: Date) -> TimeInterval {
        let passed = now.timeIntervalSince(lastStep)
        return passed > 0 ? min(passed, Self.stepSecondsMax) : 0
    }

    private mutating func count(_ now: Date) {
        if items.indices.contains(position) { items[position].timeTaken += seconds(until: now) }
        lastStep = now
    }

    /// To the next question that was neither answered nor passed over.
    private mutating func goOn() {
        let after = items.indices.first {
            $0 > position && items[$0].answer == nil && !items[$0].isSkipped
        }
        position = after ?? items.count
    }
}
