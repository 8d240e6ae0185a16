public import Foundation
public import Underway

/// The last syncs of a device, for the learner to read.
public struct SyncLog: Codable, Sendable, Hashable {
    /// The maximum number of entries; older ones are dropped.
    public static let entriesMax = 50

    /// A completed sync, or several consecutive ones with equal results.
    public struct Entry: Sendable, Hashable {
        /// The result of the sync of content.
        public enum Content: String, Codable, Sendable, Hashable {
            /// The content was the newest.
            case upToDate
            /// New content was installed.
            case updated
            /// The host did not reply.
            case offline
            /// The sync failed otherwise, or the release was refused.
            case failed
            /// The sync was not due.
            case notAsked
        }

        /// The time at which it ended, the last of several.
        public var date: Date
        /// The result of the sync of content.
        public var content: Content
        /// The number of bytes of content that were fetched.
        public var bytes: Int
        /// The number of changes and answers sent; `nil` if user data was not synced.
        public var sent: Int?
        /// The number of records and answers received; `nil` if user data was not synced.
        public var received: Int?
        /// The SDK's codes of the failures.
        public var codes: [String]
        /// The number of syncs.
        public var count = 1
    }

    /// The entries, the newest first.
    public private(set) var entries: [Entry]

    /// Creates an empty log.
    public init() { entries = [] }

    /// Adds a sync; one with the same result as the last entry is counted there.
    public mutating func add(_ entry: Entry) {
        var entry = entry
        if let last = entries.first, last.hasResult(of: entry) {
            entry.count += last.count
            entries.removeFirst()
        }
        entries.insert(entry, at: 0)
        entries.removeLast(max(0, entries.count - Self.entriesMax))
    }
}

extension SyncLog.Entry: Codable {
    /// Decodes an entry; one of an earlier version has no number of syncs and is one sync.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            date: try values.decode(Date.self, forKey: .date),
            content: try values.decode(Content.self, forKey: .content),
            bytes: try values.decode(Int.self, forKey: .bytes),
            sent: try values.decodeIfPresent(Int.self, forKey: .sent),
            received: try values.decodeIfPresent(Int.self, forKey: .received),
            codes: try values.decode([String].self, forKey: .codes),
            count: max(1, try values.decodeIfPresent(Int.self, forKey: .count) ?? 1))
    }

    /// Returns true for the same result, at any time and any number of times.
    fileprivate func hasResult(of other: Self) -> Bool {
        var same = self
        (same.date, same.count) = (other.date, other.count)
        return same == other
    }
}

extension SyncLog.Entry {
    /// Creates the entry of a sync from its reports; `nil` when no request was sent.
    ///
    /// - Parameters:
    ///   - content: The report about content.
    ///   - userData: The report about user data; `nil` if it was not synced.
    ///   - date: The time at which it ended.
    public init?(_ content: SyncReport, _ userData: UserDataReport?, date: Date) {
        let end = Self.end(content.outcome)
        guard end.content != .notAsked || userData != nil else { return nil }
        self.init(
            date: date, content: end.content,
            bytes: end.content == .updated ? content.tally.bodyBytes : 0,
            sent: userData?.pushed, received: userData?.pulled,
            codes: [end.code, userData?.error?.code.rawValue].compactMap(\.self))
    }

    private static func end(_ outcome: SyncOutcome) -> (content: Content, code: String?) {
        switch outcome {
        case .upToDate: (.upToDate, nil)
        case .installed, .repaired: (.updated, nil)
        case .notDue: (.notAsked, nil)
        case .failed(let error) where error.code == .offline: (.offline, error.code.rawValue)
        case .failed(let error), .refused(let error), .banned(let error):
            (.failed, error.code.rawValue)
        case .keptNewer: (.upToDate, "keptNewer")
        }
    }

    /// True when a part of the sync failed.
    public var isFailed: Bool { content == .failed || content == .offline || !codes.isEmpty }
}
