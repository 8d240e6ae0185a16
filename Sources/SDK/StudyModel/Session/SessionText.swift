public import Underway

/// The foot of a question as text for a learner: the verdict or a hint, and the buttons.
public struct SessionText: Sendable, Hashable {
    /// The tone of the sentence.
    public enum Tone: Sendable, Hashable {
        /// The tone of a hint, or of no sentence.
        case plain
        /// The tone of a right answer.
        case right
        /// The tone of a wrong or partly right answer.
        case wrong
        /// The tone of a failed step.
        case care
    }

    /// A rating of a right answer.
    public struct Choice: Sendable, Hashable, Identifiable {
        /// The rating.
        public var rating: Rating
        /// The name.
        public var title: String
        /// The interval until the next review after the rating; `nil` when nothing would be scheduled.
        public var interval: String?

        /// The rating.
        public var id: Rating { rating }
        /// True for the rating that suits most answers.
        public var isMain: Bool { rating == .good }
    }

    /// The tone.
    public var tone: Tone
    /// The sentence; empty for none.
    public var sentence: String
    /// The sentence for an answer without a choice or a number.
    public var missing: String
    /// The title of the button for the next step.
    public var next: String
    /// The title of the button that sets or removes the flag of the question; `nil` outside of exams.
    public var flag: String?
    /// The title of the button that skips the question; `nil` without one.
    public var skip: String?
    /// The title of the button that leads to the question before; `nil` without one.
    public var previous: String?
    /// The ratings, while the answer can be rated; else empty.
    public var ratings: [Choice]

    /// Creates the texts of the foot of a question in a language.
    ///
    /// - Parameters:
    ///   - screen: The question.
    ///   - formats: The language.
    ///   - problem: The reason why the last step failed.
    public init(_ screen: SessionScreen, _ formats: StudyFormats, problem: StudyProblem? = nil) {
        let words = formats.words
        missing =
            words[
                screen.question.type == .numericEntry ? "session.enterFirst" : "session.chooseFirst"
            ]
        ratings = screen.verdict.map { Self.ratings($0, formats) } ?? []
        if let verdict = screen.verdict {
            tone = verdict.grade.isCorrect ? .right : .wrong
            sentence = Self.sentence(screen, verdict, formats)
            next = words[screen.next == nil ? "session.finish" : "session.continue"]
            return
        }
        (tone, sentence) = (.plain, Self.hint(screen, words))
        next = words[screen.showsVerdicts ? "session.check" : "simulation.next"]
        skip =
            switch screen.mode {
            case .placement: words["session.skip"]
            case .exam: words["simulation.skip"]
            default: nil
            }
        previous = screen.previous == nil ? nil : words["simulation.previous"]
        flag =
            screen.mode == .exam
            ? words[screen.isFlagged ? "simulation.unflag" : "simulation.flag"] : nil
        guard let problem else { return }
        tone = .care
        sentence =
            switch problem.code {
            case .noResponse: missing
            case .notSaved: words["session.notKept"]
            default: words[problem.code.keyInSession]
            }
    }

    private static func ratings(
        _ verdict: SessionScreen.Verdict, _ formats: StudyFormats
    ) -> [Choice] {
        guard !verdict.nextByRating.isEmpty else { return [] }
        return [(Rating.hard, "hard"), (.good, "good"), (.easy, "easy")].map { rating, key in
            Choice(
                rating: rating, title: formats.words["session.\(key)"],
                interval: verdict.nextByRating[rating].map(formats.interval))
        }
    }

    private static func hint(_ screen: SessionScreen, _ words: StudyText) -> String {
        switch screen.question.type {
        case .multiChoice: words["session.severalHint"]
        case .ordering: words["session.orderHint"]
        case .singleChoice, .codeSnippet, .numericEntry: ""
        }
    }

    private static func sentence(
        _ screen: SessionScreen, _ verdict: SessionScreen.Verdict, _ formats: StudyFormats
    ) -> String {
        let (words, right) = (formats.words, verdict.grade.correctOptionIDs)
        if verdict.grade.isCorrect { return words["session.right"] }
        func share(_ key: String, _ hits: Int) -> String {
            words.text(
                key, ["part": formats.number(hits), "total": formats.number(right.count)])
        }
        switch screen.question.type {
        case .singleChoice, .codeSnippet:
            let answer = screen.options.first { right.contains($0.id) }?.shownText ?? ""
            let text = screen.question.richText(answer).plainText
            // The sentence has a full stop of its own.
            return words.text(
                "session.notQuiteItIs",
                ["answer": text.hasSuffix(".") ? String(text.dropLast()) : text])
        case .multiChoice:
            return share(
                "session.someRight", verdict.response.optionIDs.count { right.contains($0) })
        case .ordering:
            return share(
                "session.someInPlace", zip(verdict.response.optionIDs, right).count { $0 == $1 })
        case .numericEntry:
            return words.text(
                "session.notQuiteItIs",
                ["answer": verdict.grade.correctNumber.map(formats.text) ?? ""])
        }
    }
}

extension SessionScreen {
    /// Returns the place of the question among all, as the head of a session shows it.
    public func position(_ formats: StudyFormats) -> String {
        formats.words.text(
            isCountMost ? "session.positionOfMost" : "session.position", place(formats))
    }

    /// Returns the same as a sentence, for a screen reader.
    public func positionName(_ formats: StudyFormats) -> String {
        formats.words.text(isCountMost ? "session.titleOfMost" : "session.title", place(formats))
    }

    /// The subject, the domain and the level of the question.
    public var crumbs: String {
        [subject.title, domain, level].compactMap { $0 }.joined(separator: " · ")
    }

    /// The unit of a numeric entry; `nil` for none.
    public var unit: String? {
        guard case .number(let key) = question.key else { return nil }
        return key.unit
    }

    private func place(_ formats: StudyFormats) -> [String: String] {
        ["number": formats.number(index + 1), "total": formats.number(count)]
    }
}
