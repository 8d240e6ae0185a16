import ContentModel
import Foundation
import Testing

@testable import Publishing

/// A release directory, a content folder and a request as values: nothing of them is on a disk.
struct PlanSample {
    static let now = 1_800_000_000
    static let path = "blueprints/es.json"
    static let identity = "0123456789abcdef"

    var directory = ReleaseDirectory(root: "/nowhere")
    /// The current release; 0 for none.
    var release = 1
    /// What the one bank of the release says, and what it says in the content folder.
    var content = "a"
    var next = "a"
    var rollout: Rollout?
    /// The path that the index has for the bank.
    var path = PlanSample.path
    /// True where the bank's name is gone from the directory.
    var lacksName = false
    /// The numbers of retained releases beside the current one.
    var otherKept: [Int] = []
    /// The retained releases that a rollout can lead to.
    var retains: [Int] = []
    var memory: [String: Int] = [:]
    var edited: [String] = []
    var names = StandingNames(marks: DirectoryIdentity())
    var request = PublishRequest(
        action: .publish, publisher: Publisher(folder: "", releaseDirectory: ""), generatedAt: "t")
    /// The content of the older release that comes back.
    var older: String?

    // MARK: Signatures

    /// The keys of all roles, made once: two authors, or one.
    var authority: Authority?
    /// The keys at hand; `nil` for none.
    var keys: [SigningKey]?
    /// The time at which the current release was signed.
    var signedAt = PlanSample.now - 86_400
    /// True where another manifest than the signed one is in the directory.
    var isForged = false
    /// The version of signatures that the content folder remembers, and whether they were of a rollout.
    var remembered: (version: Int, isRollout: Bool)?
    /// True where the signed manifest is gone.
    var losesSigned = false
    /// The keys that have signed the release that waits; `nil` where none does.
    var waitingFor: [SigningKey]?

    // MARK: Values

    static func unit(
        _ content: String, isLinked: Bool = true, path: String = path
    ) -> IndexedUnit {
        let bytes = Array(content.utf8)
        let checksum = Checksum(of: bytes)
        let reference = ContentReference(version: nil, checksum: checksum, size: bytes.count)
        let stamp = FileStamp(size: bytes.count, modified: 1, inode: 1)
        return IndexedUnit(
            step: .blueprints, name: "es",
            sources: [.init(path: "languages/es/blueprint.yaml", stamp: stamp)],
            fragment: reference.json.canonicalBytes,
            files: [
                .init(
                    path: path, checksum: checksum, size: bytes.count,
                    stamp: isLinked ? stamp : nil)
            ])
    }

    static func manifest(
        _ content: String, _ release: Int, _ rollout: Rollout? = nil
    ) throws -> ManifestFile {
        let bytes = try ManifestAssembly.bytes(
            units: RecordTable([unit(content)]), release: release, generatedAt: "t", baseURL: nil,
            rollout: rollout)
        return ManifestFile(bytes, release: release, rollout: rollout)
    }

    static func previous(_ release: Int, _ content: String = "a") throws -> Rollout.Previous {
        let manifest = try manifest(content, release)
        return .init(
            release: release, manifest: manifest.checksum, size: manifest.bytes.count)
    }

    func current() throws -> ManifestFile { try Self.manifest(content, release, rollout) }

    private func state() throws -> ReleaseState {
        guard release > 0 else { return ReleaseState(index: ReleaseState.empty) }
        let manifest = try isForged ? Self.manifest("forged", release) : current()
        return ReleaseState(
            index: ReleaseIndex(
                release: release, manifestChecksum: manifest.checksum,
                manifestStamp: FileStamp(size: manifest.bytes.count, modified: 1, inode: 1),
                rollout: isForged ? nil : rollout,
                units: RecordTable([Self.unit(content, isLinked: !lacksName, path: path)])))
    }

    func baseline() throws -> TrustedBaseline {
        var marks = DirectoryIdentity()
        marks.identity = Self.identity
        let trust = try authority?.trust(
            directory, signing: current(), at: signedAt)
        var memory = memory
        if let remembered, let trust {
            memory["signed:" + trust.lineage] = remembered.version
            if remembered.isRollout { memory["rollout:" + trust.lineage] = remembered.version }
        }
        var baseline = TrustedBaseline(
            directory, trust: trust, keys: authority == nil ? nil : keys, marks: marks,
            memory: PublisherMemory(memory), found: try state(),
            signed: trust == nil || losesSigned ? nil : try Manifest(current().bytes),
            keptReleases: (otherKept + (release > 0 ? [release] : [])).sorted())
        for number in retains { baseline.retain(try Self.manifest("a", number)) }
        if baseline.retained[release] == nil {
            baseline.retained[release] = .failure(.init(.unreadable, "gone"))
        }
        if let waitingFor, let trust { baseline.pending = try waiting(trust, waitingFor) }
        return baseline
    }

    /// The release that waits: the content "waiting" after the current release.
    private func waiting(_ trust: ReleaseTrust, _ keys: [SigningKey]) throws -> PendingRelease {
        let day = TrustLifetime.expiry(
            of: .targets, from: Date(timeIntervalSince1970: Double(Self.now)))
        var pending = PendingRelease(
            manifest: try Self.manifest("waiting", release + 1).bytes, release: release + 1,
            generatedAt: "t", version: (trust.trusted.file(.targets)?.version ?? 0) + 1,
            expiryDay: Int(day.timeIntervalSince1970) / 86_400,
            baseManifest: try current().bytes, baseTargets: [], roots: trust.roots,
            documents: [:], signatures: [:])
        let document = pending.document
        pending.add(try keys.map { try $0.sign(document) })
        return pending
    }

    private func build(_ baseline: TrustedBaseline) -> ContentBuild {
        var build = ContentBuild(baseline)
        build.restoresOlderRelease = older != nil
        let content = older ?? next
        if request.action != .rollout, release == 0 || content != self.content || isForged {
            build.index.units["blueprints/es"] = Self.unit(content, isLinked: false)
            build.summary.changed = [Self.path]
            build.differs = true
        }
        build.differs = build.differs || older != nil || baseline.forgottenNumber != nil
        build.summary.isNew = build.differs
        build.summary.drifted = edited
        return build
    }

    /// What a preview names.
    func fingerprint() throws -> Checksum {
        let baseline = try baseline()
        return build(baseline).fingerprint(over: baseline)
    }

    /// Makes the plan, twice: the same values give the same plan.
    func plan() throws -> ReleasePlan {
        let baseline = try baseline()
        var names = names
        if authority != nil, names.manifest == nil { names.manifest = try current() }
        let drift = DriftDecision(
            edited.map {
                .init(path: $0, checksum: Checksum(of: [9]), unit: $0 == "manifest.json" ? nil : $0)
            }, policy: request.publisher.driftPolicy)
        let plan = try ReleasePlan.make(
            baseline, drift, build(baseline), names, request, now: Self.now)
        let again = try ReleasePlan.make(
            baseline, drift, build(baseline), names, request, now: Self.now)
        #expect(plan.outcome == again.outcome && plan.summary == again.summary)
        #expect(plan.manifest?.bytes == again.manifest?.bytes && plan.index == again.index)
        return plan
    }

    /// The same after a plan was carried out.
    func after(_ plan: ReleasePlan) -> PlanSample {
        var next = self
        next.release = plan.index.release
        next.rollout = plan.index.rollout
        next.content = older ?? (request.action == .rollout ? content : self.next)
        next.otherKept = otherKept + (release > 0 ? [release] : [])
        next.retains = retains + [release, next.release]
        next.lacksName = false
        next.isForged = false
        next.losesSigned = false
        next.edited = []
        next.names = StandingNames(marks: names.marks)
        next.waitingFor = nil
        next.signedAt = Self.now
        return next
    }

    /// The keys that sign a release.
    struct Authority {
        let authors: [SigningKey]
        let snapshot = SigningKey()
        let timestamp = SigningKey()
        let root = SigningKey()
        var rootExpires = PlanSample.now + 700 * 86_400

        init(authors: Int = 1) { self.authors = (0..<authors).map { _ in SigningKey() } }

        var all: [SigningKey] { authors + [snapshot, timestamp] }

        /// The metadata of a release that all authors have signed.
        func trust(
            _ directory: ReleaseDirectory, signing manifest: ManifestFile, at seconds: Int
        ) throws -> ReleaseTrust {
            var draft = RootDraft(version: 1)
            for (role, keys) in [
                (TrustRole.root, [root]), (.targets, authors), (.snapshot, [snapshot]),
                (.timestamp, [timestamp]),
            ] {
                for key in keys { draft.keys[key.id] = key.publicKey }
                draft.roles[role] = (keys.map(\.id), keys.count)
            }
            let bytes = try draft.signed(
                by: [root], expires: Date(timeIntervalSince1970: Double(rootExpires)))
            var trust = try ReleaseTrust(directory, first: bytes)
            guard manifest.release > 0 else { return trust }
            trust.trusted = try ReleaseSigning(
                trust, keys: all, now: Date(timeIntervalSince1970: Double(seconds))
            ).sign(manifest).trusted
            return trust
        }
    }
}
