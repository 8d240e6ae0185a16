import Foundation
import RemoteAssets

/// The status of a sync of content, updated by its downloads.
struct ProgressMeter: Sendable {
    let status = LatestValue(SyncStatus<SyncReport>())

    /// Begins a run.
    func began() {
        status.update { status in
            status.phase = .checking
            status.progress = SyncProgress()
        }
    }

    /// Enters a phase of the run.
    func entered(_ phase: SyncPhase) {
        // Many downloads of one phase begin one after the other.
        guard status.value.phase != phase else { return }
        status.update { $0.phase = phase }
    }

    /// Adds to the expected bytes.
    func planned(bytes: Int) {
        status.update { $0.progress.bytesExpected = ($0.progress.bytesExpected ?? 0) + bytes }
    }

    /// Counts a request.
    func requested() { status.update { $0.progress.requests += 1 } }

    /// Counts bytes as they arrive.
    func arrived(bytes: Int) { status.update { $0.progress.bytesDone += bytes } }

    /// Replaces the bytes of a download that were counted as they arrived.
    ///
    /// - Parameters:
    ///   - counted: The bytes so far.
    ///   - verified: The length of the file including resumed bytes; 0 for a failed one.
    func ended(counted: Int, verified: Int) {
        guard counted != verified else { return }
        status.update { $0.progress.bytesDone += verified - counted }
    }

    /// Begins a download of files on demand.
    ///
    /// - Returns: True when no run is under way, so that the download's end is that of the phase.
    func beganFiles(bytes: Int) -> Bool {
        var isAlone = false
        status.update { status in
            isAlone = status.phase == .idle
            if isAlone {
                status.phase = .fetching
                status.progress = SyncProgress()
            }
            status.progress.bytesExpected = (status.progress.bytesExpected ?? 0) + bytes
        }
        return isAlone
    }

    /// Ends a download of files on demand that began without a run.
    func endedFiles() {
        status.update { if $0.phase == .fetching { $0.phase = .idle } }
    }

    /// Ends a run.
    func ended(_ report: SyncReport, at end: Date, nextPoll: Date?) {
        status.update { status in
            status.phase = .idle
            status.lastReport = report
            status.lastEnd = end
            status.nextPoll = nextPoll
        }
    }
}
