public import Foundation

/// An error of the question engine: a code to branch on and to translate by, a message with the remedy, and the
/// underlying error, if any.
///
/// Each function throws a type of its own (`throws(GradingError)`), whose optional properties have the details for a
/// translation. They are structs: a later version can add codes without breaking an app.
///
/// ```swift
/// func text(_ error: any EngineError) -> String {
///     switch error.code {
///     case .sessionPaused: "Setzen Sie die Sitzung zuerst fort."
///     case .numberGroups: "Bitte ohne Tausenderpunkte."
///     default: error.message
///     }
/// }
/// print(text(StudySessionError.paused))
/// ```
public protocol EngineError: LocalizedError, Hashable, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    var code: EngineErrorCode { get }
    /// The mistake and its remedy, in English.
    var message: String { get }
    /// The underlying error; `nil` if there is none.
    var cause: (any Error)? { get }
}

extension EngineError {
    /// No error.
    public var cause: (any Error)? { nil }

    /// The message.
    public var description: String { message }

    /// The message, for an alert; translate by ``code``.
    public var errorDescription: String? { message }
}
