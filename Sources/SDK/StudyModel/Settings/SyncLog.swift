public import Foundation
public import Underway

/// The last syncs of a device, for the learner to read.
public struct SyncLog: Codable, Sendable, Hashable {
    /// The most entries; older ones are dropped.
    public static let entriesMax = 50

    /// A sync that ended, or several in a row that ended alike.
    public struct Entry: Codable, Sendable, Hashable {
        /// The end of the sync of content.
        public enum Content: String, Codable, Sendable, Hashable {
            /// Nothing was newer.
            case upToDate
            /// New content was installed.
            case updated
            /// The host did not answer.
            case offline
            /// Something else failed, or the release was refused.
            case failed
            /// It was too early to ask.
            case notAsked
        }

        /// The time at which it ended.
        public var date: Date
        /// The end of the sync of content.
        public var content: Content
        /// The bytes of content that were fetched.
        public var bytes: Int
        /// The changes and answers that were sent; `nil` where none were to be exchanged.
        public var sent: Int?
        /// The records and answers that were received; `nil` where none were to be exchanged.
        public var received: Int?
        /// The codes of what failed, as the SDK names them.
        public var codes: [String]
    }

    /// The entries, the newest first.
    public private(set) var entries: [Entry]

    /// Makes an empty log.
    public init() { entries = [] }

    /// Adds a sync; one that ended as the one before takes its place.
    public mutating func add(_ entry: Entry) {
        if var last = entries.first {
            last.date = entry.date
            if last == entry { entries.removeFirst() }
        }
        entries.insert(entry, at: 0)
        entries.removeLast(max(0, entries.count - Self.entriesMax))
    }
}

extension SyncLog.Entry {
    /// Describes a sync by its reports; `nil` when nobody was asked for anything.
    ///
    /// - Parameters:
    ///   - content: The report about content.
    ///   - userData: The report about user data; `nil` where none was exchanged.
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
