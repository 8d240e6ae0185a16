public import ContentModel

/// What a file held: every question that was found is imported or skipped with a reason.
public struct ImportResult: Sendable {
    /// A question that was not taken.
    public struct Skipped: Sendable, Hashable {
        /// Where it stands: a line, a record or an item's name.
        public var place: String
        /// Why it was not taken.
        public var reason: String

        /// Names a question that was not taken.
        public init(place: String, reason: String) {
            self.place = place
            self.reason = reason
        }
    }

    /// Something that was taken with a loss.
    public struct Note: Sendable, Hashable {
        /// Where it stands.
        public var place: String
        /// What was lost or changed.
        public var message: String
    }

    /// One past answer to a flashcard.
    public struct PastReview: Sendable, Hashable {
        /// The imported question.
        public var questionID: String
        /// From 1 (forgotten) to 4 (at once).
        public var rating: Int
        /// When, in seconds since 1970.
        public var seconds: Double
        /// How long it took, in seconds.
        public var timeTaken: Double
    }

    /// The file.
    public var file: String
    /// What the file is.
    public var format: ImportFormat
    /// How its text is encoded, as `UTF-8`; `nil` for archives.
    public var encoding: String?
    /// The questions, each valid by the rules of checking.
    public var questions: [Question] = []
    /// The questions that were not taken.
    public var skipped: [Skipped] = []
    /// What was taken with a loss.
    public var notes: [Note] = []
    /// The files that the questions show, by name.
    public var media: [String: [UInt8]] = [:]
    /// Past answers, oldest first.
    public var reviews: [PastReview] = []

    init(file: String, format: ImportFormat) {
        self.file = file
        self.format = format
    }

    mutating func skip(_ place: String, _ reason: String) {
        skipped.append(Skipped(place: place, reason: reason))
    }

    /// How many questions the file held.
    public var foundCount: Int { questions.count + skipped.count }
}
