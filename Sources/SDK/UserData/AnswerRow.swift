/// The stored and transmitted form of an answer: plain values, times in whole milliseconds.
///
/// ```swift
/// let row = AnswerRow(
///     bank: "es", session: "s1", question: "es-001", options: ["b"], isCorrect: true,
///     takenMilliseconds: 4_200, exposuresBefore: 0, mode: "practice", milliseconds: 1_790_000_000_000)
/// print(row.credit, row.isValid)
/// ```
public struct AnswerRow: Sendable, Hashable {
    /// The question's bank: a language, or a region and an exam separated by a slash.
    public var bank: String
    /// The id of the session of the answer.
    public var session: String
    /// The question's id.
    public var question: String
    /// The id of the question's domain, if it has one.
    public var domain: String?
    /// The version of the question that was shown.
    public var version: String
    /// The response in its raw form.
    ///
    /// Ids of options in the learner's order or, for another kind, `#` with the kind's name followed by its texts. Code
    /// that only transports an answer does not interpret it.
    public var options: [String]
    /// True when the response matched the key of that version.
    public var isCorrect: Bool
    /// The credit: 1 for the key; negative with a penalty.
    public var credit: Double
    /// The recall rating from 1 (again) to 4 (easy); `nil` when none was given.
    public var rating: Int?
    /// The time that the question was on the screen, in milliseconds.
    public var takenMilliseconds: Int64
    /// The number of times that the learner had seen the question before.
    public var exposuresBefore: Int64
    /// The mode of the session, such as practice or exam.
    public var mode: String
    /// True when chance alone selected the question, so that its statistics are unbiased.
    public var isRandomlySelected: Bool
    /// The time of the answer, in milliseconds since 1970.
    public var milliseconds: Int64
    /// The minutes by which the device's zone was then ahead of UTC; `nil` if unknown, as in an imported answer.
    ///
    /// With it the answer belongs to the same learner's day on every device, in any zone.
    public var offsetMinutes: Int?

    /// Creates an answer; without a credit, a right answer is worth 1 and a wrong one 0.
    public init(
        bank: String, session: String, question: String, domain: String? = nil,
        version: String = "", options: [String] = [], isCorrect: Bool, credit: Double? = nil,
        rating: Int? = nil, takenMilliseconds: Int64, exposuresBefore: Int64, mode: String,
        isRandomlySelected: Bool = false, milliseconds: Int64, offsetMinutes: Int? = nil
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
        self.offsetMinutes = offsetMinutes
    }

    /// True when every value is within the bounds that server and device enforce.
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
            && (!isRetraction || isPlainRetraction)
            && offsetMinutes.map { abs($0) <= Self.offsetMinutesMax } ?? true
    }

    /// The maximum distance of a zone from UTC, in minutes.
    public static let offsetMinutesMax = 1_080

    /// The maximum number of options of an answer.
    public static let optionsMax = 64
    /// The maximum size of an answer, in bytes.
    public static let bytesMax = 4 * 1024

    /// The estimated size in bytes: its texts, and 64 for its numbers.
    public var estimatedBytes: Int {
        let texts = [bank, session, question, version, mode, domain ?? ""]
        return options.reduce(64) { $0 + $1.utf8.count + 3 }
            + texts.reduce(0) { $0 + $1.utf8.count }
    }

    /// The maximum time for one answer, in milliseconds: one day.
    public static let takenMillisecondsMax: Int64 = 24 * 60 * 60 * 1000
}

extension String {
    var hasNUL: Bool { utf8.contains(0) }
}
