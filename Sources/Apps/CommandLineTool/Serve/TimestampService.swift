import Dispatch
import Foundation
import Logging
import Publishing
import ServiceLifecycle

/// The service that signs the timestamp of the served release again, once a day.
///
/// A failure is logged and leaves the server as it is: devices count the release as the newest until the timestamp
/// expires, and the next attempt comes in an hour. Several processes may share a release directory; the first signs.
struct TimestampService: Service {
    /// The seconds between two looks; only the first of a day signs.
    private static let lookSeconds = 3600
    /// The seconds until the next look while a publish has the lock.
    private static let busySeconds = 30

    let release: String
    let key: SigningKey
    let logger: Logger

    func run() async throws {
        // Cancelled at shutdown; the next start signs what is due.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let isBusy = await renew()
                try await Task.sleep(for: .seconds(isBusy ? Self.busySeconds : Self.lookSeconds))
            }
        }
    }

    /// Signs the timestamp if it is due, on a thread that may wait for the disk.
    ///
    /// - Returns: True when a publish is running, so that nothing was done.
    private func renew() async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: sign()) }
        }
    }

    private func sign() -> Bool {
        do {
            let (until, isSigned) = try TrustAdministration(
                releaseDirectory: release, now: Date()
            ).renewTimestamp(with: key)
            if isSigned {
                logger.notice(
                    "the timestamp was signed", metadata: ["until": "\(until.formatted(.iso8601))"])
            }
            return false
        } catch let error as PublishingError where error.code == .busy {
            return true
        } catch {
            logger.error("the timestamp was not signed", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
