/// An answer as it is kept and sent: plain values, whole milliseconds.
public struct AnswerRow: Sendable, Hashable {
    /// The bank of the question: a language, or region and exam parted by a slash.
    public var bank: String
    /// The session in which it was given.
    public var session: String
    /// The question.
    public var question: String
    /// The question's domain, where it has one.
    public var domain: String?
    /// The version of the content that was shown.
    public var version: String
    /// The response in its raw form.
    ///
    /// Ids of options in the learner's order or, for another kind, `#` with its name and then its
    /// texts. Whoever passes an answer on does not interpret it.
    public var options: [String]
    /// Whether it matched the key of that content.
    public var isCorrect: Bool
    /// What it was worth.
    public var credit: Double
    /// How well it was recalled, from 1 to 4; `nil` where nobody asked.
    public var rating: Int?
    /// How long the question was on the screen.
    public var takenMilliseconds: Int64
    /// How often the learner had seen the question before.
    public var exposuresBefore: Int64
    /// What the session was for.
    public var mode: String
    /// True when chance alone chose the question.
    public var isRandomlySelected: Bool
    /// When it was given, since 1970.
    public var milliseconds: Int64

    /// Describes an answer.
    public init(
        bank: String, session: String, question: String, domain: String? = nil,
        version: String = "", options: [String] = [], isCorrect: Bool, credit: Double? = nil,
        rating: Int? = nil, takenMilliseconds: Int64, exposuresBefore: Int64 = 0, mode: String,
        isRandomlySelected: Bool = false, milliseconds: Int64
    ) {
        self.bank = bank
        self.session = session
        self.question = question
        self.domain = domain
        self.version = version
        self.options = options
        self.isCorrect = isCorrect
        self.credit = credit ?? (isCorrect ? 1 : 0)
        self.rating = rating
        self.takenMilliseconds = takenMilliseconds
        self.exposuresBefore = exposuresBefore
        self.mode = mode
        self.isRandomlySelected = isRandomlySelected
        self.milliseconds = milliseconds
    }

    /// True when every value is within the bounds that server and devices keep.
    public var isValid: Bool {
        let texts = [bank, session, question, version, mode, domain ?? "-"] + options
        return !bank.isEmpty && !session.isEmpty && !question.isEmpty && !mode.isEmpty
            && options.count <= Self.optionsMax && estimatedBytes <= Self.bytesMax
            && texts.allSatisfy { $0.utf8.count <= 256 && !$0.hasNUL }
            && credit.isFinite && abs(credit) <= 1_000_000
            && rating.map { (1...4).contains($0) } ?? true
            && (0...Self.takenMillisecondsMax).contains(takenMilliseconds)
            && (0...1_000_000).contains(exposuresBefore)
            && (0...FieldValue.integerMax).contains(milliseconds)
    }

    /// The most options of an answer.
    public static let optionsMax = 64
    /// The most bytes of an answer.
    public static let bytesMax = 4 * 1024

    /// The bytes that the answer takes: its texts, and 64 for its numbers.
    public var estimatedBytes: Int {
        let texts = [bank, session, question, version, mode, domain ?? ""]
        return options.reduce(64) { $0 + $1.utf8.count + 3 }
            + texts.reduce(0) { $0 + $1.utf8.count }
    }

    /// The longest time for one answer: a day.
    public static let takenMillisecondsMax: Int64 = 24 * 60 * 60 * 1000
}

extension String {
    var hasNUL: Bool { utf8.contains(0) }
}
