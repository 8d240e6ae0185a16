public import Underway

/// A report as text for a learner.
public struct ReportText: Sendable, Hashable {
    /// A reason to choose.
    public struct Choice: Sendable, Hashable, Identifiable {
        /// The reason.
        public var reason: QuestionReport.Reason
        /// The name.
        public var title: String

        /// The reason.
        public var id: QuestionReport.Reason { reason }
    }

    /// The reasons in the order in which they are shown.
    public var reasons: [Choice]
    /// The maximum length of the text, and its readers.
    public var hint: String
    /// The text of the learner's report; `nil` without a report.
    public var said: String?
    /// The sentence about the sending of the report; `nil` without a report.
    public var state: String?
    /// The sentence about a draft that was not stored; `nil` for one that was.
    public var refusal: String?

    /// Creates the texts of a report in a language.
    ///
    /// - Parameters:
    ///   - screen: The question.
    ///   - formats: The language.
    ///   - refusal: The reason why the last draft was not stored.
    public init(
        _ screen: ReportScreen, _ formats: StudyFormats, refusal: ReportDraft.Refusal? = nil
    ) {
        let words = formats.words
        reasons = QuestionReport.Reason.allCases.map {
            Choice(reason: $0, title: words[$0.wordsKey])
        }
        let length = formats.number(QuestionReport.textLengthMax)
        hint = words.text("report.limit", ["number": length])
        said = screen.report.map { words[$0.reason.wordsKey] }
        state = screen.report.map { _ in
            words[screen.isWaiting ? "booking.waiting" : "booking.sent"]
        }
        self.refusal = refusal.map { refusal in
            switch refusal {
            case .noReason: words["report.noReason"]
            case .noWords: words["report.noWords"]
            case .tooLong: words.text("report.tooLong", ["number": length])
            case .tooMany:
                words.text(
                    "report.tooMany", ["number": formats.number(ReportLimit.reportsMax)])
            }
        }
    }
}

extension QuestionReport.Reason {
    /// The key of the reason's name.
    var wordsKey: String {
        switch self {
        case .wrongKey: "report.wrongKey"
        case .unclear: "report.unclear"
        case .outdated: "report.outdated"
        case .language: "report.typo"
        case .media: "report.media"
        case .other: "report.somethingElse"
        }
    }
}
