public import Foundation

extension ContentError: LocalizedError {
    /// The kind of an error: an open set, so a `switch` over it needs a `default`.
    ///
    /// Its name is that of the first violated rule, as in the reports of `underway check`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the rule, stable between versions.
        public let rawValue: String

        /// Creates a kind with a name; use the static members where one exists.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A document that cannot be parsed.
        public static let syntax = Code(.syntax)
        /// A name that occurs twice in an object.
        public static let duplicateField = Code(.duplicateField)
        /// A missing field.
        public static let missingField = Code(.missingField)
        /// A value whose kind is not that of its field.
        public static let wrongType = Code(.wrongType)
        /// A value that its field does not accept.
        public static let invalidValue = Code(.invalidValue)
        /// A name that leaves its folder.
        public static let unsafePath = Code(.unsafePath)
        /// More bytes or values than the reader accepts.
        public static let limitExceeded = Code(.limitExceeded)
        /// A document without a listed problem.
        public static let unusable = Code(rawValue: "unusable")

        private init(_ rule: Rule) { self.init(rawValue: rule.rawValue) }

        /// Creates the kind of the first violated rule.
        init(_ problems: [Problem]) {
            self = problems.first.map { Code($0.rule) } ?? .unusable
        }
    }

    /// The kind of the first problem.
    public var code: Code { Code(problems) }

    /// The first problem, the number of others, and the remedy, in English.
    public var message: String {
        "\(description)\(problems.isEmpty ? "" : ".") \(problems.first?.hint ?? "Publish it again.")"
    }

    /// The message, for an alert; translate by ``code``.
    public var errorDescription: String? { message }
}

extension DocumentSyntaxError: LocalizedError, CustomStringConvertible {
    /// The kind of an error: an open set, so a `switch` over it needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind, stable between versions.
        public let rawValue: String

        /// Creates a kind with a name; use the static members where one exists.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Text that cannot be parsed.
        public static let syntax = Code(rawValue: "syntax")
        /// A name that occurs twice in an object.
        public static let duplicateField = Code(rawValue: "duplicateField")
        /// More values than the reader accepts.
        public static let tooLarge = Code(rawValue: "tooLarge")
    }

    /// The kind of error.
    public var code: Code {
        if isTooLarge { return .tooLarge }
        return isDuplicateKey ? .duplicateField : .syntax
    }

    /// The place, the reason and the remedy.
    public var description: String {
        let remedy =
            switch code {
            case .tooLarge: "Split the document."
            case .duplicateField: "Remove one of the two."
            default: "Correct the text there."
            }
        return "Line \(position.line), column \(position.column): \(message). \(remedy)"
    }

    /// The place, the reason and the remedy, for an alert; translate by ``code``.
    public var errorDescription: String? { description }
}
