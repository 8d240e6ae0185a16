import Foundation
import Logging
import ServiceAPI
import ServiceLifecycle
import Synchronization
import UserService

/// The service that refreshes the boards once a minute.
///
/// Each process of a server runs one; the lock of the storage lets one of them work at a time. It runs without any board
/// too, so that changes do not pile up.
struct BoardRefreshService: Service {
    let boards: BoardService
    let times: RefreshTimes
    let logger: Logger

    func run() async throws {
        // Cancelled at shutdown: what was not refreshed waits for the next start, or another process.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await refresh()
                try await Task.sleep(for: .seconds(ServiceLimits.boardRefreshSeconds))
            }
        }
    }

    private func refresh() async {
        do {
            // The changes of another process' refresh are not this one's to report.
            if try await boards.refresh() != nil { times.note(Date()) }
        } catch is CancellationError {
            return
        } catch {
            logger.error("the boards were not refreshed", metadata: ["reason": "\(error)"])
        }
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
