package import Logging

/// The loggers of the SDK: one label for each part.
///
/// Results are logged at `debug`, steps at `trace`: a library leaves louder levels to the app. Tokens, passwords,
/// codes, emails, names of users and their texts are never logged.
package enum SDKLogger {
    /// The part of the SDK that logs.
    package enum Part: String, Sendable, CaseIterable {
        case content = "underway.content"
        case userData = "underway.user-data"
        case account = "underway.account"
        case assets = "underway.assets"
        case background = "underway.background"
        case development = "underway.development"
    }

    /// The log handlers of a test; `nil` for the process's own.
    @TaskLocal package static var factory: (@Sendable (String) -> any LogHandler)?

    /// Makes the logger of a part.
    package static func make(_ part: Part) -> Logger {
        guard let factory else { return Logger(label: part.rawValue) }
        var logger = Logger(label: part.rawValue, factory: factory)
        logger.logLevel = .trace
        return logger
    }
}
