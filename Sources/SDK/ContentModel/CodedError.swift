public import Foundation

/// An error with a code to branch on and to translate by, a message with the remedy, and the underlying error, if any.
///
/// Each kind of failure has a name and codes of its own. The ``ErrorCode/Details`` of a kind can be read as properties
/// of the error. Two errors that differ only in the cause are equal.
///
/// ```swift
/// func text(_ error: any Error) -> String {
///     switch error {
///     case let error as StoreError where error.code == .storage: "Mache Platz auf diesem Gerät."
///     case let error as ManifestError where error.code == .unsupportedSchema:
///         "Diese App ist zu alt für Schema \(error.schema ?? 0)."
///     default: error.localizedDescription
///     }
/// }
/// print(text(StoreError(.storage, "The disk is full. Make room and try again.")))
/// ```
@dynamicMemberLookup
public struct CodedError<Kind: ErrorCode>: LocalizedError, Hashable, Sendable,
    CustomStringConvertible
{
    /// The kinds of such an error.
    public typealias Code = Kind

    /// The kind of error.
    public var code: Code
    /// The failure, its place and its remedy in English, without user data.
    public var message: String
    /// The additional values of this kind of error, each also a property of the error.
    public var details: Code.Details
    /// The underlying error, for the log.
    public var cause: (any Error)?

    /// Creates an error with its details.
    public init(
        _ code: Code, _ message: String, details: Code.Details, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.details = details
        self.cause = cause
    }

    /// The message.
    public var description: String { message }

    /// The message, for an alert; translate by ``code``.
    public var errorDescription: String? { message }

    /// A value of the details.
    public subscript<Value>(dynamicMember fact: WritableKeyPath<Code.Details, Value>) -> Value {
        get { details[keyPath: fact] }
        set { details[keyPath: fact] = newValue }
    }

    /// Compares everything except the cause.
    public static func == (one: Self, other: Self) -> Bool {
        one.code == other.code && one.message == other.message && one.details == other.details
    }

    /// Hashes everything that is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(details)
    }
}

extension CodedError where Kind.Details == Never? {
    /// Creates an error without details.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.init(code, message, details: nil, cause: cause)
    }
}

/// A kind of ``CodedError``, stable between versions.
///
/// The SDK's kinds are open sets, so a `switch` over them needs a `default`.
///
/// ```swift
/// struct QuizErrorCode: ErrorCode {
///     let rawValue: String
///     static let noQuiz = Self(rawValue: "noQuiz")
/// }
/// let error = CodedError<QuizErrorCode>(.noQuiz, "There is no quiz today. Come back tomorrow.")
/// print(error.code)  // noQuiz
/// ```
public protocol ErrorCode: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible {
    /// The additional values of such errors; by default none.
    associatedtype Details: Hashable, Sendable = Never?
}

extension ErrorCode {
    /// The name of the kind.
    public var description: String { rawValue }
}
