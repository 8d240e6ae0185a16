/// A learner's response to a question.
///
/// ```swift
/// let choice: QuestionResponse = ["b"]  // an option
/// let entry = try QuestionResponse.number(DecimalNumber(entered: "3,14", locale: .current))  // a numeric entry
/// print(choice.optionIDs, entry.isEmpty)
/// ```
public enum QuestionResponse: Hashable, Sendable {
    /// The ids of the chosen options; for an ordering in the learner's order, none for a skipped
    /// question.
    case options([String])
    /// A number.
    case number(DecimalNumber)
    /// A response of a kind that only a later version knows, in its raw form.
    case unknown([String])

    /// True when nothing was chosen or entered.
    public var isEmpty: Bool { self == .options([]) }

    /// The ids of the chosen options; none for a response of another kind.
    public var optionIDs: [String] {
        switch self {
        case .options(let ids): ids
        case .number, .unknown: []
        }
    }
}

/// The raw form, in which messages, databases and sessions carry a response.
///
/// | response | raw form |
/// |---|---|
/// | options | their ids: `["a", "c"]` |
/// | a number | `["#number", "3.14"]` |
/// | a later kind | `#`, its name, and up to 63 texts |
///
/// No id of an option begins with `#`. A version that does not know a kind, such as those before
/// numbers, passes its texts on unchanged.
extension QuestionResponse {
    private static let numberMark = "#number"

    /// The raw form.
    package var texts: [String] {
        switch self {
        case .options(let ids): ids
        case .number(let number): [Self.numberMark, number.description]
        case .unknown(let texts): texts
        }
    }

    /// Reads the raw form.
    package init(texts: [String]) {
        guard let first = texts.first, first.hasPrefix("#") else {
            self = .options(texts)
            return
        }
        guard first == Self.numberMark, texts.count == 2, let number = DecimalNumber(texts[1])
        else {
            self = .unknown(texts)
            return
        }
        self = .number(number)
    }
}

extension QuestionResponse: Codable, ExpressibleByArrayLiteral {
    /// Creates a choice of options by their ids.
    public init(arrayLiteral ids: String...) { self = .options(ids) }

    /// Decodes the raw form.
    public init(from decoder: any Decoder) throws {
        self.init(texts: try decoder.singleValueContainer().decode([String].self))
    }

    /// Encodes the raw form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(texts)
    }
}
