/// A learner's report that something is wrong with a question.
///
/// It is a record of the collection `questionReports`: stored on the device first, sent with the next exchange, and one
/// for each learner and question, so that a second report replaces the first.
///
/// ```swift
/// let report = QuestionReport(
///     bank: "int/swift", question: "swift-001", version: "1a2b", reason: .wrongKey,
///     text: "B is right too.")
/// print(report.fields["reason"] ?? .null)
/// ```
public struct QuestionReport: Sendable, Hashable, Codable {
    /// The kind of mistake.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// Another response is right.
        case wrongKey = "wrong-key"
        /// The question or an option can be understood in several ways.
        case unclear
        /// The key is out of date.
        case outdated
        /// A misprint, or a wrong translation.
        case language
        /// A picture, a clip or a piece of code is missing or cannot be read.
        case media
        /// Another mistake, described in the text.
        case other
    }

    /// The maximum length of the text, in characters.
    public static let textLengthMax = 1_000

    /// The bank: a language, or a region and an exam separated by a slash.
    public var bank: String
    /// The question's id.
    public var question: String
    /// The version of the question that was shown.
    public var version: String
    /// The kind of mistake.
    public var reason: Reason
    /// The learner's own words; empty for none.
    public var text: String

    /// Creates a report; a longer text is truncated.
    public init(
        bank: String, question: String, version: String, reason: Reason, text: String = ""
    ) {
        self.bank = bank
        self.question = question
        self.version = version
        self.reason = reason
        self.text = String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(Self.textLengthMax)))
    }

    private enum CodingKeys: String, CodingKey { case bank, question, version, reason, text }

    /// Decodes a report; a reason of a later version becomes ``Reason/other``.
    ///
    /// - Throws: `DecodingError` for a missing field.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            bank: try values.decode(String.self, forKey: .bank),
            question: try values.decode(String.self, forKey: .question),
            version: try values.decode(String.self, forKey: .version),
            reason: Reason(rawValue: try values.decode(String.self, forKey: .reason)) ?? .other,
            text: try values.decodeIfPresent(String.self, forKey: .text) ?? "")
    }

    /// Decodes the fields of a record; `nil` for a record that is no report.
    ///
    /// A reason of a later version becomes ``Reason/other``.
    public init?(_ fields: [String: FieldValue]) {
        guard case .text(let bank)? = fields["bank"],
            case .text(let question)? = fields["question"],
            case .text(let version)? = fields["version"], case .text(let reason)? = fields["reason"]
        else { return nil }
        var words = ""
        if case .text(let text)? = fields["text"] { words = text }
        self.init(
            bank: bank, question: question, version: version,
            reason: Reason(rawValue: reason) ?? .other, text: words)
    }

    /// The record's id: bank and question.
    public var recordID: String { "\(bank):\(question)" }

    /// The fields of the record.
    public var fields: [String: FieldValue] {
        var fields: [String: FieldValue] = [
            "bank": .text(bank), "question": .text(question), "version": .text(version),
            "reason": .text(reason.rawValue),
        ]
        if !text.isEmpty { fields["text"] = .text(text) }
        return fields
    }
}
