import ContentModel
import Foundation
import Testing

@testable import SyncClient

/// What a report says of documents that are missing, and what a run's outcome makes of them.
@Suite struct RemarkTests {
    private func refusal(
        _ key: String, shown: Int? = nil, isTriedAgain: Bool = false, checksum: Checksum? = nil
    ) -> RefusedDocument {
        RefusedDocument(
            kind: .exam, key: key, checksum: checksum, release: 4, reason: "unknown field",
            refusedAt: Date(timeIntervalSince1970: 0), shownRelease: shown,
            isTriedAgain: isTriedAgain)
    }

    private func report(_ outcome: SyncOutcome = .upToDate) -> SyncReport {
        SyncReport(outcome: outcome, tally: SyncTally())
    }

    @Test func eachDocumentHasALineWithWhatIsShownInItsPlace() {
        var all = report()
        all.contentBaseError = SyncError(.notFound, "Files came from elsewhere.")
        all.refused = [refusal("a/b", shown: 3), refusal("c/d", isTriedAgain: true)]
        all.unlistedRefusedCount = 7
        all.partial = [PartialDocument(kind: .exam, key: "e/f", leftOutCount: 2, reason: "new")]
        #expect(
            all.remarks == [
                "Files came from elsewhere.",
                "Not readable here: exam \"a/b\" of release 4: unknown field"
                    + " Release 3 of it stays.",
                "Not here yet: exam \"c/d\" of release 4: unknown field There is no earlier one.",
                "And 7 more.", "Left out: 2 of exam \"e/f\": new",
                "A newer version may read them.",
            ])
        all.lastError = SyncError(.offline, "no network")
        #expect(all.remarks == ["The last check failed: no network"])
    }

    /// A newer app does not help against a host that has not delivered yet.
    @Test func aMissingDocumentDoesNotAskForANewerApp() {
        var all = report()
        all.refused = [refusal("c/d", isTriedAgain: true)]
        #expect(all.remarks.count == 1 && all.isUndelivered && all.isRefused)
        all.unlistedRefusedCount = 1
        #expect(!all.isUndelivered, "one that is not listed may be unreadable")
        all.refused = []
        #expect(!all.isUndelivered && !all.isRefused && all.remarks == [])
    }

    @Test func onlyTheDeviceItselfFailsToSave() {
        #expect(report(.failed(SyncError(.storage, "The disk is full."))).couldNotSave)
        let offline = report(.failed(SyncError(.offline, "no network")))
        #expect(!offline.couldNotSave && offline.hasFailed && !offline.isRefused)
        #expect(report(.banned(SyncError(.banned, "b"))).isRefused && !report().hasFailed)
    }

    @Test func aNewestReleaseWithARefusedDocumentIsNotUpToDate() {
        let after = [refusal("a/b"), refusal("c/d")]
        let outcome = SyncOutcome.upToDate.considering(
            before: after, after: after, unlistedCount: 5, release: 4)
        #expect(
            outcome
                == .refused(
                    SyncError(
                        .unreadable,
                        "Update the app: this version cannot read the exam \"a/b\" of release 4:"
                            + " unknown field (and 6 more)")))
        let waiting = SyncOutcome.upToDate.considering(
            before: [], after: [refusal("a/b", isTriedAgain: true)], release: 4)
        guard case .refused(let error) = waiting else {
            Issue.record("\(waiting)")
            return
        }
        #expect(error.code == .undelivered && !error.message.contains("more"))
        #expect(
            error.message.hasPrefix("Parts of the release are missing, and the next sync tries"))
    }

    @Test func aDocumentThatWasRetriedIsInstalledNotRepaired() {
        let sum = Checksum(of: [1])
        let tried = [
            refusal("a/b", isTriedAgain: true, checksum: sum),
            refusal("c/d", isTriedAgain: true, checksum: sum),
        ]
        func outcome(_ count: Int, after: [RefusedDocument]) -> SyncOutcome {
            SyncOutcome.repaired(documents: count).considering(
                before: tried, after: after, release: 4)
        }
        #expect(outcome(2, after: [tried[1]]) == .installed(release: 4))
        // Three were stored again, two of them only to be refused again.
        #expect(outcome(3, after: tried) == .repaired(documents: 1))
        guard case .refused = outcome(2, after: tried) else {
            Issue.record("only retried: \(outcome(2, after: tried))")
            return
        }
        #expect(
            SyncOutcome.repaired(documents: 2).considering(before: [], after: [], release: 4)
                == .repaired(documents: 2))
    }
}
