public import ContentModel
public import Foundation

/// The outcome of a sync.
///
/// ```swift
/// func text(_ outcome: SyncOutcome) -> String {
///     switch outcome {
///     case .installed(let release): "Release \(release) is here."
///     case .failed(let error), .refused(let error), .banned(let error): error.message
///     default: "Nothing new."
///     }
/// }
/// print(text(.upToDate))
/// ```
public enum SyncOutcome: Sendable, Hashable {
    /// The cooldown of the last check has not ended.
    case notDue(until: Date)
    /// The installed release is the newest, and none of its documents was refused.
    case upToDate
    /// A release was installed; ``SyncReport/refused`` lists the documents that could not be read.
    case installed(release: Int)
    /// Stored content was damaged and has been repaired.
    case repaired(documents: Int)
    /// The newest release was refused by the app's decoder, or installed without some documents
    /// (``SyncReport/refused``).
    ///
    /// A refused release leaves the installed one. The missing documents are those that this version of the app cannot
    /// read, or that the host did not deliver yet. The codes are `vetoed`, `unreadable` and `undelivered`.
    case refused(SyncError)
    /// The newest release is banned, because it was refused before or crashed the app at launch; the installed one
    /// remains.
    ///
    /// The ban ends with a newer release, a new version of the app, or `OfflineStore.liftBans()`.
    case banned(SyncError)
    /// The host offers an older release, as a stale edge of a content delivery network does; the newer one remains.
    ///
    /// The sync installs the older one if the host still offers it at `until`, or if forced.
    case keptNewer(installed: Int, offered: Int, until: Date)
    /// The sync failed; the installed release remains.
    case failed(SyncError)

    /// True when the host's current release was not installed.
    var isRefusal: Bool {
        switch self {
        case .refused, .banned, .keptNewer: true
        case .notDue, .upToDate, .installed, .repaired, .failed: false
        }
    }
}

/// The traffic of a sync, measured on the network.
///
/// ```swift
/// let tally = SyncTally()
/// print(tally.requests, tally.bodyBytes)  // 0 0
/// ```
public struct SyncTally: Sendable, Hashable {
    /// The requests sent.
    public var requests = 0
    /// The bytes of bodies on the network, compressed where the server compressed them.
    public var bodyBytes = 0
    /// The documents fetched and verified, by kind.
    public var documents: [EagerDocument.Kind: Int] = [:]
    /// The files fetched on demand.
    public var files = 0

    /// Creates a tally of zero.
    public init() {}

    /// The blueprints fetched, of languages and exams.
    package var blueprints: Int { (documents[.blueprint] ?? 0) + (documents[.exam] ?? 0) }
}

/// The result of a sync: its outcome, traffic and refused documents.
///
/// ```swift
/// func remarks(_ report: SyncReport) -> [String] {
///     report.refused.map { "\($0.key): \($0.reason)" }
/// }
/// print(remarks(SyncReport(outcome: .installed(release: 2))))  // []
/// ```
public struct SyncReport: Sendable, Hashable {
    /// The outcome.
    public var outcome: SyncOutcome
    /// The traffic.
    public var tally: SyncTally
    /// The documents of the installed release that this version of the app cannot read, at most
    /// `ContentLimits.unreadEntriesListed` of them; their predecessors are shown.
    public var refused: [RefusedDocument] = []
    /// The number of refused documents that ``refused`` does not list.
    public var unlistedRefusedCount = 0
    /// The documents that are shown without some of their questions, texts or announcements.
    public var partial: [PartialDocument] = []
    /// The failure of the last check; set when the cooldown of that check has not ended.
    public var lastError: SyncError?
    /// The reason why files came from the manifest's own address instead of the one that it names for them; `nil` when
    /// they did not.
    public var contentBaseError: SyncError?

    /// The reason why a changeset was not used and the release was fetched file by file; `nil` when there was none to
    /// use, or it was used.
    ///
    /// Content is correct either way. An occasional reason comes from a replaced release; frequent ones indicate a
    /// mistake.
    public var changesetProblem: String?
    /// A newer release that this device does not install yet, because of its rollout; `nil` for none.
    ///
    /// The outcome refers to the release that is meant for this device.
    public var heldRelease: DeferredRelease?
    /// True if only signed releases are accepted (``TrustPolicy``); false if releases are unsigned.
    public var isSigned = false
    /// The time until which signatures confirm that the shown content is the newest; `nil` without a pinned root, or
    /// before the first sync.
    ///
    /// After that time the content remains in use, but nothing confirms that it is the newest: the host may be frozen,
    /// or may withhold documents (``refused``). Predecessors of such documents count until their own release was last
    /// confirmed.
    public var confirmedUntil: Date?

    /// The message of ``lastError``.
    public var lastProblem: String? { lastError?.message }
    /// The message of ``contentBaseError``.
    public var contentBaseProblem: String? { contentBaseError?.message }

    /// Creates the result of a sync.
    public init(
        outcome: SyncOutcome, tally: SyncTally = SyncTally(), refused: [RefusedDocument] = [],
        unlistedRefusedCount: Int = 0, partial: [PartialDocument] = [], lastError: SyncError? = nil,
        contentBaseError: SyncError? = nil
    ) {
        self.outcome = outcome
        self.tally = tally
        self.refused = refused
        self.unlistedRefusedCount = unlistedRefusedCount
        self.partial = partial
        self.lastError = lastError
        self.contentBaseError = contentBaseError
    }
}

/// An event of a sync of content, for a log or a line of progress; a screen binds to ``ObservedSync``.
///
/// ```swift
/// func line(_ event: SyncEvent) -> String? {
///     guard case .fetched(let document, let done, let total) = event else { return nil }
///     return "\(done) of \(total): \(document.key)"
/// }
/// print(line(.started) ?? "")
/// ```
public enum SyncEvent: Sendable, Hashable {
    /// A run began.
    case started
    /// A number of documents that this sync will fetch, and their size if known.
    case planned(documents: Int, bytes: Int)
    /// A document was fetched and verified.
    case fetched(EagerDocument, done: Int, of: Int)
    /// A file of a group was fetched on demand.
    case fileFetched(name: String, done: Int, of: Int, bytes: Int, ofBytes: Int)
    /// The run ended.
    case ended(SyncReport)
}
