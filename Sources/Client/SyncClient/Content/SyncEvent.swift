public import ContentModel
public import Foundation

/// How a sync ended.
public enum SyncOutcome: Sendable, Hashable {
    /// The last check was not long enough ago.
    case notDue(until: Date)
    /// The installed release is the newest, and no document of it was refused.
    case upToDate
    /// A release was installed; ``SyncReport/refused`` has the documents that could not be read.
    case installed(release: Int)
    /// Stored content had been damaged and is right again.
    case repaired(documents: Int)
    /// The newest release was refused by the app's decoder just now and what was installed stays; or
    /// it is installed but for documents that this version of the app cannot read
    /// (``SyncReport/refused``).
    case refused(reason: String)
    /// The newest release was banned before, because it was refused or crashed the app's start; what
    /// was installed stays.
    ///
    /// It ends with a newer release, a new version of the app, or `OfflineStore.liftBans()`.
    case banned(reason: String)
    /// The host offers an older release of itself, as an edge of a network of hosts does that is behind;
    /// the newer one stays.
    ///
    /// The older one is installed when it is still offered at `until`, or by force.
    case keptNewer(installed: Int, offered: Int, until: Date)
    /// The sync could not be done; what was installed stays.
    case failed(SyncFailure)

    /// True when what the host has now was not installed.
    var isRefusal: Bool {
        switch self {
        case .refused, .banned, .keptNewer: true
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
    /// The documents of the installed release that this version of the app cannot read, at most
    /// `ContentLimits.unreadEntriesListed` of them; their predecessors are shown.
    public var refused: [RefusedDocument] = []
    /// The number of documents that were refused beside those in ``refused``.
    public var unlistedRefusedCount = 0
    /// The documents that are shown without some of their questions, texts or announcements.
    public var partial: [PartialDocument] = []
    /// Why the last check failed, when it is too early for another one.
    public var lastProblem: String?
    /// Why files came from the manifest's own address and not from the one that it names for them; `nil`
    /// when it was not so.
    public var contentBaseProblem: String?
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
