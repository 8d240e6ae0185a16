public import ContentModel

/// The result of importing a file: every question is imported, or skipped with a reason.
public struct ImportResult: Sendable {
    /// A question that was not imported.
    public struct Skipped: Sendable, Hashable, Codable {
        /// The kind of the reason.
        public var code: ImportCode
        /// The place in the file: a line, a record or an item's name.
        public var place: String
        /// The reason.
        public var reason: String
        /// The question's text, at most ``textMax`` characters of it; `nil` if it was not told apart.
        public var text: String?

        /// The maximum number of characters of a text.
        public static let textMax = 300

        /// Creates an entry.
        public init(place: String, code: ImportCode, reason: String, text: String? = nil) {
            self.code = code
            self.place = place
            self.reason = reason
            self.text = text.flatMap { $0.isEmpty ? nil : String($0.prefix(Self.textMax)) }
        }
    }

    /// A loss in an imported question.
    public struct Note: Sendable, Hashable {
        /// The place in the file.
        public var place: String
        /// The kind of the note.
        public var code: ImportCode
        /// The lost or changed property.
        public var message: String
    }

    /// A past answer to a flashcard.
    public struct PastReview: Sendable, Hashable {
        /// The imported question.
        public var questionID: String
        /// The rating, from 1 (forgotten) to 4 (easy).
        public var rating: Int
        /// The time of the answer, in seconds since 1970.
        public var seconds: Double
        /// The time that the answer took, in seconds.
        public var timeTaken: Double
    }

    /// The file.
    public var file: String
    /// The format of the file.
    public var format: ImportFormat
    /// The encoding of its text, such as `UTF-8`; `nil` for archives.
    public var encoding: String?
    /// What was decided about the whole file; `nil` for formats that leave nothing open.
    public internal(set) var profile: FileProfile?
    /// The questions, each valid by the rules of checking.
    public var questions: [Question] = []
    /// The places of the ``questions`` in the file, by their ids.
    public internal(set) var places: [String: String] = [:]
    /// The ids of those ``questions`` that replace a question of the bank.
    public var replacedIDs: Set<String> = []
    /// The questions that differ from the bank's, replaced or not.
    public var differences: [QuestionDifference] = []
    /// The number of ``skipped`` questions that are unchanged in the bank, or came before.
    public internal(set) var presentCount = 0
    /// The questions that were not imported.
    public var skipped: [Skipped] = []
    /// The losses in imported questions.
    public var notes: [Note] = []
    /// The media of the questions, by name.
    public var media: [String: [UInt8]] = [:]
    /// The addresses of the pictures that questions show, skipped ones too, each once.
    public internal(set) var addresses: [String] = []
    /// Past answers, oldest first.
    public var reviews: [PastReview] = []

    init(file: String, format: ImportFormat) {
        self.file = file
        self.format = format
    }

    /// Notes what concerns the whole file.
    mutating func note(_ code: ImportCode, _ message: String) {
        notes.append(Note(place: file, code: code, message: message))
    }

    mutating func skip(_ place: String, _ reason: SkipReason, text: String) {
        skipped.append(Skipped(place: place, code: reason.code, reason: reason.text, text: text))
    }

    /// The number of questions in the file, counted independently of ``questions`` and ``skipped``, of which ``importedCount``
    /// and the skipped ones add up to it.
    public internal(set) var foundCount = 0

    /// The number of ``questions`` that share a question of the file with one before them.
    var furtherPartCount = 0

    /// The number of questions in the file that were imported; one may have become several of ``questions``.
    public var importedCount: Int { questions.count - furtherPartCount }

    /// True when no question of the file can be imported and none is already in the bank.
    public var isRefusedWhole: Bool {
        questions.isEmpty && differences.isEmpty && presentCount == 0
    }
}
