public import ContentModel

extension Problem: Codable {
    private enum CodingKeys: String, CodingKey {
        case rule
        case severity
        case file
        case line
        case column
        case message
        case hint
    }

    /// Encodes the form of `json`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(rule.rawValue, forKey: .rule)
        try container.encode(rule.severity.rawValue, forKey: .severity)
        try container.encode(file, forKey: .file)
        try container.encode(position.line, forKey: .line)
        try container.encode(position.column, forKey: .column)
        try container.encode(message, forKey: .message)
        try container.encode(hint, forKey: .hint)
    }

    /// Decodes the form of `json`.
    ///
    /// - Throws: `DecodingError`, also for a rule that this version does not know.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .rule)
        guard let rule = Rule(rawValue: name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .rule, in: container, debugDescription: "no rule is named \(name)")
        }
        let position = SourcePosition(
            line: try container.decode(Int.self, forKey: .line),
            column: try container.decode(Int.self, forKey: .column))
        self.init(
            rule, file: try container.decode(String.self, forKey: .file), position: position,
            message: try container.decode(String.self, forKey: .message),
            hint: try container.decode(String.self, forKey: .hint))
    }
}
