import ContentServer
import Foundation
package import Ledger
package import Logging
import ServiceAPI
import ServiceLifecycle

/// The service that reviews the keys of the served release: it follows the release directory, reads new first answers
/// and reports, and writes proposals.
package struct KeyReviewService: Service {
    /// The seconds between two looks at what is new.
    private static let pauseSeconds = 5

    private let reviewer: KeyReviewer
    private let watch: @Sendable (_ release: Int) async throws -> Void
    private let release: String
    private let logger: Logger
    private let gate = BoundedThreadPool()

    /// Creates the service; `nil` for users without a review of keys.
    ///
    /// - Parameters:
    ///   - users: The users.
    ///   - release: The release directory.
    ///   - shares: The facilities that each review updates.
    ///   - logger: The log.
    ///   - watch: A function that each step calls with the served release.
    package init?(
        _ users: UserBackend, release: String, shares: ItemFacilities, logger: Logger,
        watch: @escaping @Sendable (_ release: Int) async throws -> Void
    ) {
        guard let storage = users.review else { return nil }
        reviewer = KeyReviewer(storage, shares: shares, clock: users.clock)
        self.watch = watch
        self.release = release
        self.logger = logger
    }

    func run() async throws {
        // Cancelled at shutdown: what was not reviewed waits for the next start, or another process.
        try? await cancelWhenGracefulShutdown {
            var followed = Followed()
            while !Task.isCancelled {
                await step(&followed)
                try await Task.sleep(for: .seconds(Self.pauseSeconds))
            }
        }
    }

    /// The release whose keys are reviewed.
    struct Followed {
        var stamp: ServedFileStamp?
        var release: ReviewedRelease?
    }

    /// Looks once at what is new.
    func step(_ followed: inout Followed) async {
        do {
            let stamp = ServedFileStamp(path: release + "/" + ContentRoutes.manifest)
            if let stamp, stamp != followed.stamp {
                let (directory, former) = (release, followed.release)
                let present = try await gate.run {
                    try ReviewedRelease(directory: directory, after: former)
                }
                log(try await reviewer.follow(present))
                followed = Followed(stamp: stamp, release: present)
            }
            if let release = followed.release { await tell(of: release) }
            log(try await reviewer.run().proposals)
        } catch is CancellationError {
            return
        } catch {
            logger.error("keys were not reviewed", metadata: ["reason": "\(error)"])
        }
    }

    /// Reports the served release before any review; a failure of one does not delay the other.
    private func tell(of release: ReviewedRelease) async {
        do {
            try await watch(release.number)
        } catch is CancellationError {
            return
        } catch {
            logger.error("the spread of a release was not noted", metadata: ["reason": "\(error)"])
        }
    }

    private func log(_ proposals: [Proposal]) {
        for proposal in proposals {
            logger.info(
                "a proposal changed",
                metadata: [
                    "proposal": "\(proposal.number)", "bank": "\(proposal.bank)",
                    "question": "\(proposal.question)", "state": "\(proposal.state.rawValue)",
                ])
        }
    }
}
