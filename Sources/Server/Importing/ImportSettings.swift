/// What a user says about the files of an import; each file decides what is `nil`.
public struct ImportSettings: Sendable, Hashable {
    /// The domain of questions that name none, or one that is not declared.
    public var domain: String?
    /// The files' field names by ours (`stem`, `options`, `correct` and so on), for CSV, JSON and YAML.
    public var mapping: [String: String]
    /// Fields whose texts are added to one of ours, for CSV, JSON and YAML: a passage to `stem`, before it, or a
    /// reference to `explanation`, after it.
    public var joins: [String: [String]]
    /// How the keys of CSV, JSON and YAML are read.
    public var keys: KeyReading?
    /// The form of texts in CSV, JSON and YAML, and of those in GIFT without a mark of their form.
    public var textForm: TextForm?
    /// The encoding of texts.
    public var encoding: TextEncoding?
    /// The outcome that is the score of items of QTI 1.2.
    public var outcome: String?
    /// Whether questions that the bank has in another state replace those; they are skipped without it.
    public var updatesBank: Bool

    /// The fields of ours to which others can be joined.
    public static let joinable = ["stem", "explanation"]

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - domain: The domain of questions that name none, or one that is not declared.
    ///   - mapping: The files' field names by ours.
    ///   - joins: The fields whose texts are added to `stem` or `explanation`.
    ///   - keys: How the keys of CSV, JSON and YAML are read.
    ///   - textForm: The form of texts.
    ///   - encoding: The encoding of texts.
    ///   - outcome: The outcome that is the score of items of QTI 1.2.
    ///   - updatesBank: Whether questions of the bank are replaced where they differ.
    public init(
        domain: String? = nil, mapping: [String: String] = [:], joins: [String: [String]] = [:],
        keys: KeyReading? = nil, textForm: TextForm? = nil, encoding: TextEncoding? = nil,
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
