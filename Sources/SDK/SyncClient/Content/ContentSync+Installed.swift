import ContentModel
import OfflineStorage
import ServiceAPI

extension ContentSync {
    /// Returns the installed release and the obstacle to a newer one, for the operator of a server.
    ///
    /// - Returns: `nil` when the store cannot be read.
    @concurrent nonisolated func installed() async -> InstalledContent? {
        // A store that cannot be read has its own errors; this is about a count.
        guard let generation = try? store.currentGeneration() else { return nil }
        let schedule = (try? store.setting("schedule")).map { SyncSchedule(text: $0) }
        let obstacle =
            if let report = status.lastReport {
                InstalledContent.Obstacle(report)
            } else {
                schedule?.problem.flatMap { InstalledContent.Obstacle($0.code) }
                    ?? (try? heldRelease()).map { _ in .rollout }
            }
        return InstalledContent(release: generation.freshness.release, obstacle: obstacle)
    }
}

extension InstalledContent.Obstacle {
    /// Creates the reason why a sync did not install the newest release; `nil` if it did.
    init?(_ report: SyncReport) {
        switch report.outcome {
        case .upToDate, .installed, .repaired:
            guard report.heldRelease != nil else { return nil }
            self = .rollout
        case .keptNewer: self = .olderRelease
        case .notDue:
            if let error = report.lastError {
                self.init(error.code)
            } else if report.heldRelease != nil {
                self = .rollout
            } else {
                return nil
            }
        case .refused(let error), .banned(let error), .failed(let error): self.init(error.code)
        }
    }

    /// Creates the kind of a failure; `nil` for a cancelled sync.
    init?(_ code: SyncError.Code) {
        switch code {
        case .cancelled: return nil
        case .offline, .serverError, .notFound, .redirected, .insecureAddress, .badAddress,
            .undelivered:
            self = .unreachable
        case .captivePortal: self = .captivePortal
        case .networkNotAllowed: self = .networkNotAllowed
        case .checksumMismatch, .wrongLength: self = .damagedDownload
        case .badManifest: self = .badManifest
        case .untrusted, .rolledBack: self = .untrusted
        case .expired: self = .expired
        case .unsupportedSchema, .unreadable: self = .outdatedApp
        case .vetoed: self = .vetoed
        case .banned: self = .banned
        case .storage: self = .storage
        default: self = .other
        }
    }
}
