import Foundation
import Logging
import Reviewing
import ServiceAPI
import ServiceLifecycle
import Synchronization
import UserService

/// The service that refreshes the boards once a minute, and grades answers again by the served release's corrections.
///
/// Each process of a server runs one; the lock of the storage lets one of them work at a time. It runs without any board
/// too, so that changes do not pile up.
struct BoardRefreshService: Service {
    let boards: BoardService
    let release: String
    let times: RefreshTimes
    let logger: Logger
    private let gate = BoundedThreadPool()

    init(boards: BoardService, release: String, times: RefreshTimes, logger: Logger) {
        self.boards = boards
        self.release = release
        self.times = times
        self.logger = logger
    }

    func run() async throws {
        // Cancelled at shutdown: what was not refreshed waits for the next start, or another process.
        try? await cancelWhenGracefulShutdown {
            var followed = Followed()
            while !Task.isCancelled {
                await follow(&followed)
                await refresh(followed.served)
                try await Task.sleep(for: .seconds(ServiceLimits.boardRefreshSeconds))
            }
        }
    }

    /// The release whose corrections are applied.
    private struct Followed {
        var stamp: FileStamp?
        var corrections: ReleaseCorrections?
        var served: ServedCorrections?
    }

    /// Reads the corrections of a release that came; those of before stay when it cannot be read.
    private func follow(_ followed: inout Followed) async {
        guard let stamp = FileStamp(path: release + "/" + ContentRoutes.manifest),
            stamp != followed.stamp
        else { return }
        do {
            let (directory, former) = (release, followed.corrections)
            let present = try await gate.run {
                try ReleaseCorrections(directory: directory, after: former)
            }
            followed = Followed(stamp: stamp, corrections: present, served: present.served)
        } catch is CancellationError {
            return
        } catch {
            logger.error(
                "the corrections of keys were not read", metadata: ["reason": "\(error)"])
        }
    }

    private func refresh(_ corrections: ServedCorrections?) async {
        do {
            // The changes of another process' refresh are not this one's to report.
            guard try await boards.refresh(corrections) != nil else { return }
            if let corrections, try await regrade(corrections) {
                _ = try await boards.refresh(corrections)
            }
            times.note(Date())
        } catch is CancellationError {
            return
        } catch {
            logger.error("the boards were not refreshed", metadata: ["reason": "\(error)"])
        }
    }

    /// Grades noted answers again; true when a grade changed.
    private func regrade(_ corrections: ServedCorrections) async throws -> Bool {
        let report = try await boards.regrade(corrections)
        guard report.answers > 0 else { return false }
        logger.info(
            "answers were graded again",
            metadata: [
                "release": "\(corrections.release)", "answers": "\(report.answers)",
                "learners": "\(report.changedMembers)",
            ])
        return true
    }
}

/// The time of the last refresh of the boards by this process.
final class RefreshTimes: Sendable {
    private let last = Mutex<Date?>(nil)

    /// Notes a refresh.
    func note(_ time: Date) { last.withLock { $0 = time } }

    /// Returns the seconds since the last refresh; `nil` before the first.
    func ageSeconds(at now: Date) -> Double? {
        last.withLock { $0 }.map { max(0, now.timeIntervalSince($0)) }
    }
}
