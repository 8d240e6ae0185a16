public import Foundation

/// A line of the log of syncs as text for a learner: consecutive entries that read alike are one.
///
/// ```swift
/// for line in SyncLogLine.lines(of: log.entries, now: .now, formats) {
///     print(line.when, line.sentences.joined(separator: " "))
/// }
/// ```
public struct SyncLogLine: Sendable, Hashable {
    /// The time of the last sync of the line.
    public var date: Date
    /// The time as text, with the number of syncs if there were several: "5 times, last today 14:02".
    public var when: String
    /// The results of the syncs, in at least one sentence.
    public var sentences: [String]
    /// The codes of the failures, for a details element; `nil` for none.
    public var codes: String?
    /// True when a part of a sync failed.
    public var isFailed: Bool
    /// True when the host did not reply.
    public var isOffline: Bool

    /// Returns the lines of entries.
    ///
    /// - Parameters:
    ///   - entries: The entries, the newest first.
    ///   - now: The time of the screen.
    ///   - formats: The language.
    /// - Returns: The lines, the newest first.
    public static func lines(
        of entries: [SyncLog.Entry], now: Date, _ formats: StudyFormats
    ) -> [SyncLogLine] {
        var lines: [(line: SyncLogLine, count: Int)] = []
        for entry in entries {
            let line = SyncLogLine(entry, formats)
            if let last = lines.last, last.line.readsAs(line) {
                lines[lines.count - 1].count += entry.count
            } else {
                lines.append((line, entry.count))
            }
        }
        return lines.map { line, count in
            var line = line
            let moment = formats.moment(line.date, now: now)
            line.when =
                count == 1
                ? moment : formats.words.count("settings.logTimes", count, ["when": moment])
            return line
        }
    }

    private init(_ entry: SyncLog.Entry, _ formats: StudyFormats) {
        date = entry.date
        when = ""
        sentences = entry.sentences(formats)
        codes = entry.codesSentence(formats.words)
        isFailed = entry.isFailed
        isOffline = entry.content == .offline
    }

    private func readsAs(_ other: SyncLogLine) -> Bool {
        var other = other
        other.date = date
        return self == other
    }
}
