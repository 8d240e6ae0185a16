package import Boards
import ContentServer
package import Foundation
package import Logging
package import Review
import ServiceAPI
import ServiceLifecycle
import Synchronization

/// The service that refreshes the boards once a minute, and regrades answers by the served release's corrections.
///
/// Each process of a server runs one; the storage's lock allows one of them to work at a time. It also runs without any
/// board, so that changes do not accumulate.
package struct BoardRefreshService: Service {
    let boards: BoardService
    let regrader: Regrader?
    let release: String
    let times: RefreshTimes
    let logger: Logger
    private let gate = BoundedThreadPool()

    package init(
        boards: BoardService, regrader: Regrader?, release: String, times: RefreshTimes,
        logger: Logger
    ) {
        self.boards = boards
        self.regrader = regrader
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
        var stamp: ServedFileStamp?
        var corrections: ReleaseCorrections?
        var served: ServedCorrections?
    }

    /// Reads the corrections of a release that came; those of before stay when it cannot be read.
    private func follow(_ followed: inout Followed) async {
        guard let stamp = ServedFileStamp(path: release + "/" + ContentRoutes.manifest),
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
            // In turn with the boards, which do not stand still while all accounts are looked at.
            while let corrections, try await regrader?.follow(corrections) == true {
                _ = try await boards.refresh()
            }
            // The changes of another process' refresh are not this one's to report.
            guard try await boards.refresh() != nil else { return }
            if let corrections, try await regrade(corrections) { _ = try await boards.refresh() }
            times.note(Date())
        } catch is CancellationError {
            return
        } catch {
            logger.error("the boards were not refreshed", metadata: ["reason": "\(error)"])
        }
    }

    /// Grades noted answers again; true when a grade changed.
    private func regrade(_ corrections: ServedCorrections) async throws -> Bool {
        guard let report = try await regrader?.regrade(corrections), report.answers > 0 else {
            return false
        }
        logger.info(
            "answers were graded again",
            metadata: [
                "release": "\(corrections.release)", "answers": "\(report.answers)",
                "learners": "\(report.changedMembers)",
            ])
        return true
    }
}

/// The time of this process's last refresh of the boards.
package final class RefreshTimes: Sendable {
    private let last = Mutex<Date?>(nil)

    package init() {}

    /// Notes a refresh.
    func note(_ time: Date) { last.withLock { $0 = time } }

    /// Returns the seconds since the last refresh; `nil` before the first.
    package func ageSeconds(at now: Date) -> Double? {
        last.withLock { $0 }.map { max(0, now.timeIntervalSince($0)) }
    }
}
