import Foundation
import StudyModel
import Underway

/// The sentence at the head of each page: how fresh the content is, and what waits for the network.
struct FreshnessLine {
    var content: ContentFreshness?
    var sync: (any StudySync)?
    var userData: UserDataStatus?
    var now: Date
    /// True when a sync was begun that may not have asked yet.
    var isSyncing = false

    /// Returns the line in a language.
    func shown(_ formats: StudyFormats) -> PageFrame.Freshness {
        let words = formats.words
        if let sync, isSyncing || sync.contentStatus.isRunning {
            return .init(icon: "cloud", sentence: words["freshness.checking"])
        }
        var line = line(formats)
        line.isOld = isStale || content == nil
        if sync != nil {
            line.button = .init(action: "/sync", title: words["freshness.checkNow"])
        }
        return line
    }

    private func line(_ formats: StudyFormats) -> PageFrame.Freshness {
        let words = formats.words
        if let sync, isOffline(sync.contentStatus) {
            let waiting = userData?.waitingCount ?? 0
            return .init(
                icon: "cloud-off",
                sentence: waiting == 0
                    ? words["freshness.offline"] : words.count("freshness.offlineUnsent", waiting))
        }
        guard let content else {
            return .init(icon: "cloud", sentence: words["freshness.empty"])
        }
        if let lastCheck { return lastCheck(formats) }
        return .init(
            icon: "cloud",
            sentence: content.source == .bundled
                ? words["freshness.bundled"]
                : formats.sentence("freshness.updated", content.installedAt, now: now))
    }

    /// The sentence about a check in this process, in a language; `nil` before one.
    private var lastCheck: ((StudyFormats) -> PageFrame.Freshness)? {
        guard let status = sync?.contentStatus, let end = status.lastEnd else { return nil }
        switch status.lastReport?.outcome {
        case .upToDate, .installed, .repaired:
            return { formats in
                .init(
                    icon: "check",
                    sentence: formats.sentence("freshness.checked", end, now: now))
            }
        case .failed:
            return { .init(icon: "warning", sentence: $0.words["freshness.failed"]) }
        default: return nil
        }
    }

    private var isStale: Bool {
        guard let content, content.source == .downloaded else { return false }
        return content.age(now: now) > FrameReading.staleSeconds
    }

    private func isOffline(_ status: SyncStatus<SyncReport>) -> Bool {
        guard case .failed(let error)? = status.lastReport?.outcome else { return false }
        return error.code == .offline
    }
}
