public import Foundation

extension StudySession {
    /// The question whose right answer can be rated now; `nil` for none.
    ///
    /// It is the question answered last, until the next step. ``records`` does not contain its answer yet.
    public var awaitingRating: Item? {
        // The last one, should a decoded session have several.
        items.last(where: awaitsRating)
    }

    /// Rates the recall of a right answer, which schedules its question.
    ///
    /// In a session that ``ratesAnswers``, a wrong answer is rated ``Rating/again`` at once. The record of a right one
    /// waits for its rating; the next step (`answer`, `skip`, `go` or `finish`) rates it as ``Rating/good``. The time
    /// from the answer to its rating counts for no question.
    ///
    /// ```swift
    /// let question = Question(
    ///     id: "q1", type: .singleChoice, difficulty: 1, stem: "1 + 1?",
    ///     options: [QuestionOption(id: "a", text: "2"), QuestionOption(id: "b", text: "3")],
    ///     correct: [0])
    /// var random = SystemRandomNumberGenerator()
    /// var session = StudySession(
    ///     id: "s1", mode: .study, entries: [.init(question, exposuresBefore: 0)], ratesAnswers: true, now: .now,
    ///     using: &random)
    /// try session.answer(["a"], to: question, now: .now)
    /// if let item = session.awaitingRating {
    ///     try session.rate(.hard, questionID: item.questionID, now: .now)
    /// }
    /// print(session.records.map(\.rating))
    /// ```
    /// - Parameters:
    ///   - rating: The learner's rating.
    ///   - questionID: The question of ``awaitingRating``.
    ///   - now: The current time.
    /// - Throws: `StudySessionError` with the code `ratingNotAwaited` for another question, and for one already rated,
    ///   also by the next step; `sessionPaused` or `sessionFinished`. The session is then unchanged.
    public mutating func rate(
        _ rating: Rating, questionID: String, now: Date
    ) throws(StudySessionError) {
        try checkIsRunning()
        guard let index = items.lastIndex(where: awaitsRating),
            items[index].questionID == questionID
        else { throw .ratingNotAwaited(question: questionID) }
        items[index].answer?.rating = rating
        lastStep = now
    }

    /// Returns true if the item's answer is right and can still be rated.
    func awaitsRating(_ item: Item) -> Bool {
        guard ratesAnswers, state != .finished, let answer = item.answer else { return false }
        return answer.isCorrect && answer.rating == nil
    }

    /// Rates an answer that awaits its rating as good.
    mutating func endRating() {
        for index in items.indices where awaitsRating(items[index]) {
            items[index].answer?.rating = .good
        }
    }
}
