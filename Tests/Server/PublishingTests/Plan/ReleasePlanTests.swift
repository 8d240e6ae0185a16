import ContentModel
import Foundation
import Testing

@testable import Publishing

/// What a command makes of a release: a table of baselines and requests, without a disk.
@Suite struct ReleasePlanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        enum Expected: Sendable, Equatable {
            case plan(ReleasePlan.Outcome)
            case refusal(PublishingError.Code, String)
        }

        let testDescription: String
        let expected: Expected
        let prepare: @Sendable (inout PlanSample) throws -> Void

        init(
            _ name: String, _ outcome: ReleasePlan.Outcome,
            _ prepare: @escaping @Sendable (inout PlanSample) throws -> Void
        ) { (testDescription, expected, self.prepare) = (name, .plan(outcome), prepare) }

        init(
            _ name: String, _ code: PublishingError.Code, _ part: String,
            _ prepare: @escaping @Sendable (inout PlanSample) throws -> Void
        ) { (testDescription, expected, self.prepare) = (name, .refusal(code, part), prepare) }

        func sample() throws -> PlanSample {
            var sample = PlanSample()
            try prepare(&sample)
            return sample
        }
    }

    private static func signed(_ sample: inout PlanSample, authors: Int = 1, atHand: Int? = nil) {
        let authority = PlanSample.Authority(authors: authors)
        sample.authority = authority
        sample.keys = authority.all.filter { key in
            !authority.authors.dropFirst(atHand ?? authors).contains { $0.id == key.id }
        }
    }

    /// A rollout of release 2 to a tenth of the devices; the others have release 1.
    private static func rollOut(_ sample: inout PlanSample) throws {
        sample.release = 2
        sample.otherKept = [1]
        sample.retains = [1, 2]
        sample.rollout = Rollout(since: 2, percent: 10, previous: try PlanSample.previous(1))
    }

    private static let steps = ReleaseSigning.steps(
        Date(timeIntervalSince1970: Double(PlanSample.now)))

    static let unsigned: [Case] = [
        Case("nothing published", .release(1)) { $0.release = 0 },
        Case("nothing published, looked at", .release(1)) {
            $0.release = 0
            $0.request.action = .look
        },
        Case("the same content", .unchanged) { _ in },
        Case("the same content, looked at", .unchanged) { $0.request.action = .look },
        Case("other content", .release(2)) { $0.next = "b" },
        Case("other content, looked at", .release(2)) {
            $0.next = "b"
            $0.request.action = .look
        },
        Case("a name is gone", .repair) { $0.lacksName = true },
        Case("a name that no release has is gone", .unreadable, "no path of a release") {
            ($0.lacksName, $0.path) = (true, "../content/logo.svg")
        },
        Case("a name came back", .repair) { $0.names.revived = ["blueprints/de.json"] },
        Case("a file of nobody", .unchanged) { $0.names.unowned = ["blueprints/x"] },
        Case("a file of others in the way", .drift, "have names that this release needs") {
            $0.next = "b"
            $0.names.foreign = [PlanSample.path]
        },
        Case("a file of others that goes", .release(2)) {
            $0.next = "b"
            $0.names.foreign = [PlanSample.path]
            $0.request.publisher.driftPolicy = .overwrite
        },
        Case("an edited file", .drift, "edited by hand") { $0.edited = [PlanSample.path] },
        Case("an edited file, looked at", .unchanged) {
            $0.edited = [PlanSample.path]
            $0.request.action = .look
        },
        Case("an edited file that is overwritten", .repair) {
            ($0.edited, $0.lacksName, $0.request.publisher.driftPolicy) = (
                [PlanSample.path], true, .overwrite
            )
        },
        Case("an edited manifest that is overwritten", .release(2)) {
            ($0.edited, $0.request.publisher.driftPolicy) = (["manifest.json"], .overwrite)
        },
        Case("an edited manifest that is adopted", .drift, "cannot be adopted") {
            ($0.edited, $0.request.publisher.driftPolicy) = (["manifest.json"], .adopt)
        },
        Case("what was shown", .release(2)) {
            $0.next = "b"
            $0.request.publisher.expectedFingerprint = try $0.fingerprint()
        },
        Case("other content than was shown", .drift, "since you were shown") {
            $0.next = "b"
            $0.request.publisher.expectedFingerprint = try $0.fingerprint()
            $0.next = "c"
        },
        Case("another release than was shown", .drift, "since you were shown") {
            $0.next = "b"
            $0.request.publisher.expectedFingerprint = try $0.fingerprint()
            $0.release = 2
        },
        Case("a directory from a backup", .release(8)) {
            $0.memory = [PlanSample.identity: 7]
        },
        Case("a directory that was lost", .release(8)) {
            ($0.release, $0.memory) = (0, ["fedcba9876543210": 7])
        },
        Case("a publish that was killed", .release(4)) {
            ($0.next, $0.release, $0.otherKept) = ("b", 2, [1, 3])
        },
        Case("no number left", .unreadable, "after which there is no other") {
            ($0.next, $0.otherKept) = ("b", [PublisherMemory.numberMax])
        },
        Case("an older release", .release(3)) {
            ($0.release, $0.older, $0.request.action) = (2, "z", .rollback(to: 1))
        },
        Case("development", .release(2)) {
            $0.next = "b"
            $0.directory.isForDevelopment = true
        },
    ]

    static let rollouts: [Case] = [
        Case("a rollout begins", .release(2)) {
            ($0.next, $0.retains) = ("b", [1])
            $0.request.publisher.rollout = .set(percent: 10)
        },
        Case("a rollout of the first release", .invalidRequest, "first release") {
            $0.release = 0
            $0.request.publisher.rollout = .set(percent: 10)
        },
        Case("a rollout without the release before", .unreadable, "gone") {
            $0.next = "b"
            $0.request.publisher.rollout = .set(percent: 10)
        },
        Case("a fix goes to the same devices", .release(3)) {
            try rollOut(&$0)
            $0.next = "b"
        },
        Case("a rollout for all", .release(3)) {
            try rollOut(&$0)
            $0.request.publisher.rollout = .set(percent: 100)
        },
        Case("the same share again", .unchanged) {
            try rollOut(&$0)
            ($0.request.action, $0.request.publisher.rollout) = (.rollout, .set(percent: 10))
        },
        Case("another share, while the content waits", .release(3)) {
            try rollOut(&$0)
            $0.next = "b"
            ($0.request.action, $0.request.publisher.rollout) = (.rollout, .set(percent: 50))
        },
        Case("another share without the release before", .unreadable, "leaves out have") {
            try rollOut(&$0)
            $0.retains = [2]
            ($0.request.action, $0.request.publisher.rollout) = (.rollout, .set(percent: 50))
        },
        Case("a pause without the release before", .release(3)) {
            try rollOut(&$0)
            $0.retains = [2]
            ($0.request.action, $0.request.publisher.rollout) = (.rollout, .pause)
        },
        Case("a share of what all have", .unchanged) {
            $0.retains = [1]
            $0.request.publisher.rollout = .set(percent: 10)
        },
        Case("an older release ends a rollout", .release(3)) {
            try rollOut(&$0)
            ($0.older, $0.request.action) = ("z", .rollback(to: 1))
        },
    ]

    static let signatures: [Case] = [
        Case("signed, the same content", .unchanged) { signed(&$0) },
        Case("signed, the same content without keys", .unchanged) {
            signed(&$0)
            $0.keys = nil
        },
        Case("signed, other content", .release(2)) {
            signed(&$0)
            $0.next = "b"
        },
        Case("signed, other content without keys", .needsSignatures, "no keys were named") {
            signed(&$0)
            ($0.next, $0.keys) = ("b", nil)
        },
        Case("signed, looked at without keys", .release(2)) {
            signed(&$0)
            ($0.next, $0.keys, $0.request.action) = ("b", nil, .look)
        },
        Case("signed, keys of others", .needsSignatures, "needs 1 signature") {
            signed(&$0)
            ($0.next, $0.keys) = ("b", PlanSample.Authority().all)
        },
        Case("a timestamp that ends soon", .resign) {
            signed(&$0)
            $0.signedAt -= 12 * 86_400
        },
        Case("a timestamp that ends soon, keys of others", .needsSignatures, "timestamp") {
            signed(&$0)
            $0.signedAt -= 12 * 86_400
            $0.keys = PlanSample.Authority().all
        },
        Case("expired targets without their author", .needsSignatures, "targets expired") {
            signed(&$0, atHand: 0)
            $0.signedAt -= 500 * 86_400
        },
        Case("a root that expired", .rootExpired, "root has expired") {
            signed(&$0)
            $0.authority?.rootExpires = PlanSample.now - 1
            $0.next = "b"
        },
        Case("a manifest that changed meanwhile", .needsSignatures, "while the content was read") {
            signed(&$0)
            $0.signedAt -= 12 * 86_400
            $0.names.manifest = try PlanSample.manifest("forged", 1)
        },
        Case("a manifest that nobody signed", .release(2)) {
            signed(&$0)
            $0.isForged = true
        },
        Case("signatures from a backup", .release(2)) {
            signed(&$0)
            $0.signedAt -= 2 * 86_400
            $0.remembered = (steps - 1, false)
        },
        Case("a rollout from a backup", .needsSignatures, "lacks the last signed release") {
            signed(&$0)
            $0.signedAt -= 2 * 86_400
            ($0.next, $0.remembered) = ("b", (steps - 1, true))
        },
        Case("a rollout that nobody signed", .needsSignatures, "names other devices") {
            try rollOut(&$0)
            signed(&$0)
            ($0.next, $0.isForged) = ("b", true)
        },
        Case(
            "a rollout after signatures from a backup", .needsSignatures, "older than the last ones"
        ) {
            signed(&$0)
            $0.signedAt -= 2 * 86_400
            ($0.next, $0.retains, $0.remembered) = ("b", [1], (steps - 1, false))
            $0.request.publisher.rollout = .set(percent: 10)
        },
        Case("a rollout of a signed release", .release(2)) {
            signed(&$0)
            ($0.next, $0.retains) = ("b", [1])
            $0.request.publisher.rollout = .set(percent: 10)
        },
    ]

    static let pending: [Case] = [
        Case("an author is missing", .pending(2)) {
            signed(&$0, authors: 2, atHand: 1)
            ($0.next, $0.request.publisher.leavesPending) = ("b", true)
        },
        Case("an author is missing, and nothing may wait", .needsSignatures, "needs 2 signatures") {
            signed(&$0, authors: 2, atHand: 1)
            $0.next = "b"
        },
        Case("nobody who signs", .needsSignatures, "None of the keys") {
            signed(&$0, authors: 2)
            ($0.next, $0.request.publisher.leavesPending) = ("b", true)
            $0.keys = [SigningKey()]
        },
        Case("the other author has signed", .release(2)) {
            signed(&$0, authors: 2, atHand: 1)
            $0.next = "waiting"
            $0.waitingFor = $0.authority.map { [$0.authors[1]] }
        },
        Case("the other author has not signed", .pending(2)) {
            signed(&$0, authors: 2, atHand: 1)
            ($0.next, $0.waitingFor, $0.request.publisher.leavesPending) = ("waiting", [], true)
        },
        Case("a stranger has signed", .needsSignatures, "1 of 2 signatures") {
            signed(&$0, authors: 2, atHand: 1)
            ($0.next, $0.waitingFor) = ("waiting", [SigningKey()])
        },
        Case("other content than waits", .pendingIsStale, "would be another release") {
            signed(&$0, authors: 2, atHand: 1)
            ($0.next, $0.waitingFor) = ("b", [])
        },
        Case("the same content while another waits", .pendingIsStale, "would be another release") {
            signed(&$0, authors: 2, atHand: 1)
            $0.waitingFor = []
        },
        Case("a release that waits below a remembered one", .pendingIsStale, "another release") {
            signed(&$0, authors: 2, atHand: 1)
            ($0.next, $0.waitingFor) = ("waiting", [])
            $0.memory = [PlanSample.identity: 7]
        },
        Case("signatures of authors end soon", .pending(2)) {
            signed(&$0, authors: 2, atHand: 1)
            $0.signedAt -= 320 * 86_400
            $0.request.publisher.leavesPending = true
        },
    ]

    static let all = unsigned + rollouts + signatures + pending

    @Test(arguments: all) func theOutcomeIsThatOfTheTable(_ item: Case) throws {
        let sample = try item.sample()
        do {
            let plan = try sample.plan()
            #expect(.plan(plan.outcome) == item.expected)
        } catch let error as PublishingError {
            guard case .refusal(let code, let part) = item.expected else { throw error }
            #expect(error.code == code && error.message.contains(part), "\(error.message)")
        }
    }

    /// Plans that are carried out: of each case that is not refused and does not wait.
    private static let carriedOut = all.filter {
        switch $0.expected {
        case .plan(.pending), .refusal: false
        case .plan: true
        }
    }

    @Test(arguments: carriedOut) func aNumberIsNeverGivenTwice(_ item: Case) throws {
        let sample = try item.sample()
        let plan = try sample.plan()
        guard let manifest = plan.manifest else {
            #expect(plan.index.release == sample.release)
            return
        }
        let used = [sample.release] + sample.otherKept + sample.memory.values
        #expect(used.allSatisfy { $0 < manifest.release })
        #expect(try Manifest(manifest.bytes).release == manifest.release)
        #expect(plan.index.release == manifest.release && plan.summary.release == manifest.release)
    }

    /// What the manifest names is in place, or is put there with it.
    @Test(arguments: carriedOut) func eachFileIsLinkedOrInPlace(_ item: Case) throws {
        let plan = try item.sample().plan()
        let linked = Set(plan.links.map(\.path))
        for file in plan.index.units.flatMap(\.files) {
            #expect((file.stamp == nil) == linked.contains(file.path))
        }
        guard let manifest = plan.manifest else { return }
        let entries = try Manifest(manifest.bytes).entries.map(\.checksum)
        #expect(entries == plan.index.units.flatMap(\.files).map(\.checksum))
        #expect(plan.index.manifestChecksum == manifest.checksum)
    }

    @Test(arguments: carriedOut) func theSameRequestIsUnchangedAfterwards(_ item: Case) throws {
        let sample = try item.sample()
        guard sample.request.action == .publish || sample.request.action == .rollout else { return }
        var after = sample.after(try sample.plan())
        after.request.publisher.expectedFingerprint = nil
        let plan = try after.plan()
        #expect(plan.outcome == .unchanged && plan.manifest == nil && !plan.summary.isNew)
    }

    @Test(arguments: carriedOut) func signaturesAreMadeWhereTheyAreWanted(_ item: Case) throws {
        let sample = try item.sample()
        let plan = try sample.plan()
        guard sample.authority != nil, sample.request.action != .look,
            let manifest = plan.manifest ?? (plan.outcome == .resign ? plan.present : nil)
        else {
            guard case .none = plan.signatures else {
                Issue.record("nobody wants signatures")
                return
            }
            return
        }
        guard case .made(let metadata) = plan.signatures else {
            Issue.record("there are none")
            return
        }
        let before = try sample.baseline().trust?.trusted
        #expect(metadata.trusted.manifest?.checksum == manifest.checksum)
        for role in [TrustRole.timestamp, .snapshot, .targets] where plan.manifest != nil {
            #expect(
                metadata.trusted.file(role)?.version ?? 0
                    > max(before?.file(role)?.version ?? 0, sample.remembered?.version ?? 0))
        }
    }

    /// A look refuses nothing but content, and says the number that a publish gives.
    @Test(arguments: all) func aLookSaysWhatAPublishDoes(_ item: Case) throws {
        var sample = try item.sample()
        guard sample.request.action == .publish else { return }
        let publish = try? sample.plan()
        if case .refusal(.unreadable, _) = item.expected { return }
        sample.request.action = .look
        let look = try sample.plan()
        #expect(
            look.manifest == nil && look.publication == nil && look.index.release == sample.release)
        if case .release(let number)? = publish?.outcome, number > sample.release,
            sample.remembered == nil, sample.request.publisher.rollout == nil,
            sample.edited.isEmpty
        {
            #expect(look.outcome == .release(number))
        }
    }

    /// A name that is linked anew after the plan, too.
    @Test func noNameOutsideTheReleaseIsLinked() throws {
        var sample = PlanSample()
        var plan = try sample.plan()
        try plan.relink { _ in true }
        #expect(plan.links.map(\.path) == [PlanSample.path])
        sample.path = "../content/logo.svg"
        var other = try sample.plan()
        let error = #expect(throws: PublishingError.self) { try other.relink { _ in true } }
        #expect(error?.code == .unreadable)
    }

    @Test func theRecordSaysWhatMadeTheRelease() throws {
        func action(_ prepare: (inout PlanSample) throws -> Void) throws -> Publication.Action? {
            var sample = PlanSample()
            try prepare(&sample)
            return try sample.plan().publication?.action
        }
        #expect(try action { $0.next = "b" } == .publish)
        let back = try action {
            ($0.release, $0.older, $0.request.action) = (2, "z", .rollback(to: 1))
        }
        #expect(back == .rollback)
        let share = try action {
            try Self.rollOut(&$0)
            $0.request.publisher.rollout = .set(percent: 100)
        }
        #expect(share == .rollout)
        #expect(try action { _ in } == nil)
        let development = try action {
            $0.next = "b"
            $0.directory.isForDevelopment = true
        }
        #expect(development == nil)
    }
}
