import Underway

/// The overview of a simulated exam as text for a learner.
public struct OverviewText: Sendable, Hashable {
    /// A question.
    public struct Place: Sendable, Hashable, Identifiable {
        /// The place in the exam, from 0.
        public var id: Int
        /// The number, from 1.
        public var number: String
        /// The number with the state, for a screen reader.
        public var name: String
        /// True when the question has an answer.
        public var isAnswered: Bool
        /// True when the learner flagged it.
        public var isFlagged: Bool
    }

    /// The text with the numbers of answered, open and flagged questions.
    public var lead: String
    /// The questions.
    public var places: [Place]
    /// The confirmation before an exam with open questions is handed in; `nil` when none is open.
    public var openQuestion: String?

    /// Creates the texts of the overview of an exam in a language.
    public init(_ screen: SessionScreen, _ formats: StudyFormats) {
        let words = formats.words
        let answered = screen.overview.count { $0.isAnswered }
        let open = screen.overview.count - answered
        lead = words.text(
            "simulation.counts",
            [
                "answered": formats.number(answered), "open": formats.number(open),
                "flagged": formats.number(screen.overview.count { $0.isFlagged }),
            ])
        openQuestion = open == 0 ? nil : words.count("simulation.handInOpen", open)
        places = screen.overview.enumerated().map { index, place in
            let state = place.isAnswered ? "Answered" : "Open"
            let key = "simulation.cell\(state)\(place.isFlagged ? "Flagged" : "")"
            let number = formats.number(index + 1)
            return Place(
                id: index, number: number, name: words.text(key, ["number": number]),
                isAnswered: place.isAnswered, isFlagged: place.isFlagged)
        }
    }
}
