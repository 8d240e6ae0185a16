import Accounts
import ContentServer
import Foundation
package import Ledger
package import Logging
package import Review
import ServiceAPI
import ServiceLifecycle

/// The service that reviews the keys of the served release: it follows the release directory, takes new first answers and
/// reports, and makes proposals.
package struct KeyReviewService: Service {
    /// The seconds between two looks at what is new.
    private static let pauseSeconds = 5

    private let reviewer: KeyReviewer
    private let spread: AdoptionMonitor?
    private let release: String
    private let logger: Logger
    private let gate = BoundedThreadPool()

    package init?(_ users: UserBackend, release: String, shares: ItemFacilities, logger: Logger) {
        guard let storage = users.review else { return nil }
        reviewer = KeyReviewer(storage, shares: shares, clock: users.clock)
        spread = users.uptake.map { AdoptionMonitor(storage, uptake: $0, clock: users.clock) }
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
    private struct Followed {
        var stamp: ServedFileStamp?
        var release: ReviewedRelease?
    }

    private func step(_ followed: inout Followed) async {
        do {
            let stamp = ServedFileStamp(path: release + "/" + ContentRoutes.manifest)
            if let stamp, stamp != followed.stamp {
                let (directory, former) = (release, followed.release)
                let present = try await gate.run {
                    try ReviewedRelease(directory: directory, after: former)
                }
                log(try await reviewer.follow(present))
                try await spread?.served(present.number)
                followed = Followed(stamp: stamp, release: present)
            }
            log(try await reviewer.run().proposals)
            try await spread?.count()
        } catch is CancellationError {
            return
        } catch {
            logger.error("keys were not reviewed", metadata: ["reason": "\(error)"])
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

/// Notes when a release reached half, most and nearly all of the devices.
actor AdoptionMonitor {
    private static let pauseSeconds: TimeInterval = 30

    private let storage: ReviewStorage
    private let uptake: UptakeService
    private let clock: @Sendable () -> Date
    private var countedAt = Date.distantPast

    init(
        _ storage: ReviewStorage, uptake: UptakeService,
        clock: @escaping @Sendable () -> Date
    ) {
        self.storage = storage
        self.uptake = uptake
        self.clock = clock
    }

    /// Notes that a release is served, unless that is known.
    func served(_ release: Int) async throws {
        let known = try await storage.releaseSpread(limit: ServiceLimits.releaseSpreadMax)
        guard release > 0, !known.contains(where: { $0.release == release }) else { return }
        try await storage.set(
            ReleaseSpread(release: release, servedAt: clock().millisecondsSince1970))
    }

    /// Counts devices, at most every half minute.
    func count() async throws {
        let now = clock()
        guard abs(now.timeIntervalSince(countedAt)) >= Self.pauseSeconds else { return }
        countedAt = now
        let open = try await storage.releaseSpread(limit: ServiceLimits.releaseSpreadMax)
            .filter { $0.reachedAt.contains(nil) }
        guard !open.isEmpty else { return }
        let counts = try await uptake.uptake()
        for var spread in open {
            let before = spread
            spread.note(counts, at: now.millisecondsSince1970)
            if spread != before { try await storage.set(spread) }
        }
    }
}
