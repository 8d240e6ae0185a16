/// The user's settings for the files of an import; `nil` lets each file decide.
public struct ImportSettings: Sendable, Hashable {
    /// The domain of questions without a declared domain.
    public var domain: String?
    /// The files' field names, by our names (`stem`, `options`, `correct` and so on), for CSV, JSON and YAML.
    public var mapping: [String: String]
    /// Fields whose texts are joined to one of ours, for CSV, JSON and YAML: a passage before `stem`, or a reference
    /// after `explanation`.
    public var joins: [String: [String]]
    /// The reading of keys in CSV, JSON and YAML.
    public var keys: KeyReading?
    /// The form of texts in CSV, JSON and YAML, and of GIFT texts without a mark of their form.
    public var textForm: SourceTextForm?
    /// The encoding of texts.
    public var encoding: TextEncoding?
    /// What stands between the two sides of a card.
    public var fieldSeparator: String?
    /// What stands between two cards.
    public var rowSeparator: String?
    /// The outcome with the score of items of QTI 1.2.
    public var outcome: String?
    /// True to replace questions of the bank that differ; otherwise they are skipped.
    public var updatesBank: Bool
    /// The paths of the lists to read in JSON and YAML; empty for all with questions.
    public var lists: [String] = []
    /// True if the first row of a table names its columns, false if it is a question.
    public var hasHeader: Bool?
    /// The separator of a table: a comma, a semicolon, a tab or a bar.
    public var separator: Character?
    /// What becomes of letters before options.
    public var letters: LetterRule?
    /// The coding of values in CSV, JSON and YAML.
    public var values: ValueForm?
    /// The decimal sign of numbers in CSV, JSON and YAML.
    public var decimal: DecimalSign?

    /// True to import a file of which much text is in no question.
    public var acceptsUnread = false

    /// The separators of tables by their names.
    public static let separators: [String: Character] = [
        ",": ",", ";": ";", "|": "|", "tab": "\t", "comma": ",", "semicolon": ";", "bar": "|",
    ]

    /// Our fields to which others can be joined.
    public static let joinable = ["stem", "explanation"]

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - domain: The domain of questions without a declared domain.
    ///   - mapping: The files' field names, by our names.
    ///   - joins: The fields whose texts are joined to `stem` or `explanation`.
    ///   - keys: The reading of keys in CSV, JSON and YAML.
    ///   - textForm: The form of texts.
    ///   - encoding: The encoding of texts.
    ///   - outcome: The outcome with the score of items of QTI 1.2.
    ///   - updatesBank: True to replace questions of the bank that differ.
    public init(
        domain: String? = nil, mapping: [String: String] = [:], joins: [String: [String]] = [:],
        keys: KeyReading? = nil, textForm: SourceTextForm? = nil, encoding: TextEncoding? = nil,
        outcome: String? = nil, updatesBank: Bool = false
    ) {
        self.domain = domain
        self.mapping = mapping
        self.joins = joins
        self.keys = keys
        self.textForm = textForm
        self.encoding = encoding
        self.outcome = outcome
        self.updatesBank = updatesBank
    }
}

/// What becomes of letters before options.
public enum LetterRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// They are no part of the texts.
    case remove
    /// They are part of the texts.
    case keep
}

/// The coding of a file's values.
public enum ValueForm: String, Sendable, Hashable, Codable, CaseIterable {
    /// None.
    case asTyped = "as-typed"
    /// Base64 of UTF-8.
    case base64
    /// Percent signs before the numbers of bytes, as in addresses.
    case percent
}

/// The sign between the whole part and the fraction of a number.
public enum DecimalSign: String, Sendable, Hashable, Codable, CaseIterable {
    /// As in 9.81.
    case point
    /// As in 9,81.
    case comma

    /// Returns a number with a point.
    func pointed(_ number: String) -> String {
        self == .comma ? number.replacing(",", with: ".") : number
    }
}
