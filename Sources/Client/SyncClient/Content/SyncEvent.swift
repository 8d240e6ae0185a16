public import ContentModel
public import Foundation

/// How a sync ended.
public enum SyncOutcome: Sendable, Hashable {
    /// The last check was not long enough ago.
    case notDue(until: Date)
    /// The installed release is the newest.
    case upToDate
    /// A release was installed.
    case installed(release: Int)
    /// Stored content had been damaged and is right again.
    case repaired(documents: Int)
    /// The newest release was refused by a decoder just now; what was installed stays.
    case refused(reason: String)
    /// The newest release was banned before, because it was refused or crashed the app's start; what
    /// was installed stays.
    ///
    /// It ends with a newer release, a new version of the app, or `OfflineStore.liftBans()`.
    case banned(reason: String)
    /// The sync could not be done; what was installed stays.
    case failed(SyncFailure)

    var isRefusal: Bool {
        switch self {
        case .refused, .banned: true
        case .notDue, .upToDate, .installed, .repaired, .failed: false
        }
    }
}

/// What a sync moved, as it was really counted.
public struct SyncTally: Sendable, Hashable {
    /// Requests sent.
    public var requests = 0
    /// Bytes of bodies as they crossed the network, compressed where they were.
    public var bodyBytes = 0
    /// Documents fetched and verified, by kind.
    public var documents: [EagerDocument.Kind: Int] = [:]
    /// Files fetched on demand.
    public var files = 0

    /// Nothing moved yet.
    public init() {}

    /// Blueprints fetched, of languages and exams.
    public var blueprints: Int { (documents[.blueprint] ?? 0) + (documents[.exam] ?? 0) }
}

/// How a sync ended and what it moved.
public struct SyncReport: Sendable, Hashable {
    /// How it ended.
    public var outcome: SyncOutcome
    /// What it moved.
    public var tally: SyncTally
}

/// What a screen may show while content is fetched.
public enum SyncEvent: Sendable, Hashable {
    case started
    /// Documents that this sync will fetch, and their size where it is known.
    case planned(documents: Int, bytes: Int)
    /// A document was fetched and verified.
    case fetched(EagerDocument, done: Int, of: Int)
    /// A file of a group was fetched on demand.
    case fileFetched(name: String, done: Int, of: Int, bytes: Int, ofBytes: Int)
    case ended(SyncReport)
}
