import ContentModel
package import Foundation
package import Logging

/// A log handler that writes each message as a line of JSON, for journals and log collectors.
///
/// ```
/// {"level":"error","message":"the database failed","reason":"…","time":"2026-11-25T10:00:00Z","trace":"…"}
/// ```
///
/// Metadata are members beside `time`, `level`, `logger` and `message`; a reserved name gets an underscore prefix.
/// Texts above 4 KiB are truncated.
package struct JSONLogHandler: LogHandler {
    private static let textBytesMax = 4_096
    private static let own: Set<String> = ["time", "level", "logger", "message"]

    /// The minimum level of written messages.
    package var logLevel = Logger.Level.info
    /// The metadata of each line.
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let handle: FileHandle

    /// Writes to a file handle, such as standard error.
    ///
    /// - Parameters:
    ///   - label: The name of the logger.
    ///   - handle: The file.
    package init(label: String, to handle: FileHandle) {
        self.label = label
        self.handle = handle
    }

    /// The metadata of each line, by key.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a line.
    package func log(event: LogEvent) {
        var members = metadata.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { members["error"] = "\(error)" }
        let line = Self.line(
            event.message.description, event.level, label: label, members, at: Date())
        // A log that cannot be written must not stop the service; one write is one line.
        try? handle.write(contentsOf: line)
    }

    /// Returns a line.
    static func line(
        _ message: String, _ level: Logger.Level, label: String, _ metadata: Logger.Metadata,
        at date: Date
    ) -> [UInt8] {
        var members = Dictionary(
            metadata.map { name, value in
                (own.contains(name) ? "_" + name : name, JSONValue.string(cut("\(value)")))
            }, uniquingKeysWith: { $1 })
        members["time"] = .string(date.formatted(.iso8601))
        members["level"] = .string(level.rawValue)
        members["logger"] = .string(label)
        members["message"] = .string(cut(message))
        return JSONValue.object(members).canonicalBytes + [UInt8(ascii: "\n")]
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > textBytesMax else { return text }
        return String(decoding: text.utf8.prefix(textBytesMax), as: UTF8.self) + "…"
    }
}
