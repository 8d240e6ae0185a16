public import Foundation

/// The phase of a sync: an open set, so a `switch` over it needs a `default`.
///
/// ```swift
/// func text(_ phase: SyncPhase) -> String {
///     switch phase {
///     case .idle: ""
///     case .fetching: "Downloading…"
///     default: "Syncing…"
///     }
/// }
/// print(text(.fetching))
/// ```
public struct SyncPhase: RawRepresentable, Sendable, Hashable {
    /// The name of the phase, stable between versions.
    public let rawValue: String

    /// Creates a phase with a name; use the static members where one exists.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No run is under way.
    public static let idle = SyncPhase(rawValue: "idle")
    /// A request to the host for its newest release.
    public static let checking = SyncPhase(rawValue: "checking")
    /// The verification of stored content.
    public static let verifying = SyncPhase(rawValue: "verifying")
    /// The download of documents or files.
    public static let fetching = SyncPhase(rawValue: "fetching")
    /// The installation of a release.
    public static let installing = SyncPhase(rawValue: "installing")
    /// The push and pull of user data.
    public static let exchanging = SyncPhase(rawValue: "exchanging")
}

/// The progress of a run.
///
/// ```swift
/// let progress = SyncProgress(bytesDone: 1024, bytesExpected: 4096)
/// print(progress.fractionDone ?? 0)  // 0.25
/// ```
public struct SyncProgress: Sendable, Hashable {
    /// The requests sent.
    public var requests: Int
    /// The bytes of bodies that were received and used, decompressed; of user data, in both directions.
    public var bytesDone: Int
    /// The bytes that the run downloads; `nil` while unknown, and always for user data.
    public var bytesExpected: Int?

    /// Creates the progress of a run, by default of one that begins.
    public init(requests: Int = 0, bytesDone: Int = 0, bytesExpected: Int? = nil) {
        self.requests = requests
        self.bytesDone = bytesDone
        self.bytesExpected = bytesExpected
    }

    /// The completed fraction, from 0 to 1; `nil` while unknown.
    public var fractionDone: Double? {
        guard let bytesExpected, bytesExpected > 0 else { return nil }
        return min(1, Double(bytesDone) / Double(bytesExpected))
    }
}

/// The state of a sync, for a screen.
///
/// ```swift
/// func line(_ status: SyncStatus<UserDataReport>) -> String {
///     if status.isRunning { return "Syncing…" }
///     return status.lastReport?.problem ?? "Everything is synced."
/// }
/// print(line(SyncStatus(phase: .exchanging)))
/// ```
public struct SyncStatus<Report: Sendable & Hashable>: Sendable, Hashable {
    /// The phase of the run under way.
    public var phase: SyncPhase
    /// The progress of the run under way, else of the last one.
    public var progress: SyncProgress
    /// The report of the last run that ended in this process.
    public var lastReport: Report?
    /// The end of that run.
    public var lastEnd: Date?
    /// The time of the next poll or retry; `nil` when none is planned.
    public var nextPoll: Date?

    /// Creates a status, by default that of a sync that has not run yet.
    public init(
        phase: SyncPhase = .idle, progress: SyncProgress = SyncProgress(),
        lastReport: Report? = nil, lastEnd: Date? = nil, nextPoll: Date? = nil
    ) {
        self.phase = phase
        self.progress = progress
        self.lastReport = lastReport
        self.lastEnd = lastEnd
        self.nextPoll = nextPoll
    }

    /// True while a run is under way.
    public var isRunning: Bool { phase != .idle }
}
