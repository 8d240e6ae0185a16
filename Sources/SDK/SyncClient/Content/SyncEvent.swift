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
    /// It is too early for another check.
    case notDue(until: Date)
    /// The installed release is the newest, and no document of it was refused.
    case upToDate
    /// A release was installed; ``SyncReport/refused`` has the documents that could not be read.
    case installed(release: Int)
    /// Stored content had been damaged and is right again.
    case repaired(documents: Int)
    /// The app's decoder refused the newest release, and the installed one stays; or it is installed but
    /// for documents that this version of the app cannot read, or that the host did not deliver yet
    /// (``SyncReport/refused``).
    ///
    /// The codes are `vetoed`, `unreadable` and `undelivered`.
    case refused(SyncError)
    /// The newest release was banned before, because it was refused or crashed the app's start; the
    /// installed one stays.
    ///
    /// It ends with a newer release, a new version of the app, or `OfflineStore.liftBans()`.
    case banned(SyncError)
    /// The host offers an older release, as a stale edge of a content delivery network does; the newer one
    /// stays.
    ///
    /// The older one is installed when it is still offered at `until`, or by force.
    case keptNewer(installed: Int, offered: Int, until: Date)
    /// The sync failed; the installed release stays.
    case failed(SyncError)

    /// True when the host's current release was not installed.
    var isRefusal: Bool {
        switch self {
        case .refused, .banned, .keptNewer: true
        case .notDue, .upToDate, .installed, .repaired, .failed: false
        }
    }
}

/// The traffic of a sync, as it was counted on the network.
///
/// ```swift
/// let tally = SyncTally()
/// print(tally.requests, tally.bodyBytes)  // 0 0
/// ```
public struct SyncTally: Sendable, Hashable {
    /// The requests sent.
    public var requests = 0
    /// The bytes of bodies as they crossed the network, compressed where they were.
    public var bodyBytes = 0
    /// The documents fetched and verified, by kind.
    public var documents: [EagerDocument.Kind: Int] = [:]
    /// The files fetched on demand.
    public var files = 0

    /// Counts from zero.
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
    /// The number of documents that were refused beside those in ``refused``.
    public var unlistedRefusedCount = 0
    /// The documents that are shown without some of their questions, texts or announcements.
    public var partial: [PartialDocument] = []
    /// The failure of the last check, when it is too early for another one.
    public var lastError: SyncError?
    /// The reason why files came from the manifest's own address instead of the one that it names for
    /// them; `nil` when they did not.
    public var contentBaseError: SyncError?

    /// The reason for which a changeset was not used, so that the release was fetched in the plain way; `nil` when there
    /// was none to use, or it was used.
    ///
    /// Content is right either way; one such reason now and then is a release that was replaced, many are a mistake.
    public var changesetProblem: String?
    /// A newer release that this device does not take yet, because it is being rolled out; `nil` for none.
    ///
    /// The outcome is that of the release which is for this device.
    public var heldRelease: DeferredRelease?
    /// True where only signed releases are taken (``TrustPolicy``); false where the host is believed: unsigned.
    public var isSigned = false
    /// The time until which the signatures say that nothing newer was published of anything that is shown; `nil` without a
    /// pinned root, or before the first sync.
    ///
    /// After it content is used as before, and nobody can say whether it is the newest: a host may be standing still, or be
    /// keeping documents back (``refused``), whose predecessors count until their own release was last confirmed.
    public var confirmedUntil: Date?

    /// The message of ``lastError``.
    public var lastProblem: String? { lastError?.message }
    /// The message of ``contentBaseError``.
    public var contentBaseProblem: String? { contentBaseError?.message }

    /// Describes the result of a sync.
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
    /// Documents that this sync will fetch, and their size where it is known.
    case planned(documents: Int, bytes: Int)
    /// A document was fetched and verified.
    case fetched(EagerDocument, done: Int, of: Int)
    /// A file of a group was fetched on demand.
    case fileFetched(name: String, done: Int, of: Int, bytes: Int, ofBytes: Int)
    /// The run ended.
    case ended(SyncReport)
}
