public import ContentModel
import Foundation

/// The handling of served files that were edited by hand.
public enum DriftPolicy: Sendable {
    /// Stops and lists them.
    case refuse
    /// Copies the edits back into the content folder.
    case adopt
    /// Discards the edits.
    case overwrite
}

/// The result of a publish, or of a dry run.
public struct PublishSummary: Sendable, Equatable {
    /// The current release.
    public var release = 0
    /// True when a new release was created.
    public var isNew = false
    /// Readable paths with new or changed content, sorted.
    public var changed: [String] = []
    /// Readable paths that are no longer published, sorted.
    public var removed: [String] = []
    /// Served names that were missing and are restored.
    public var restored: [String] = []
    /// Files of earlier releases under names that the current one does not have, including compressed forms.
    ///
    /// A restored backup may contain such files; a publish removes them.
    public var revived: [String] = []
    /// Files under names like those of a release that no retained release published; they stay.
    public var foreign: [String] = []
    /// Served files that were edited by hand; found, or discarded by the publish.
    public var drifted: [String] = []
    /// Those of `drifted` that were edited in place; devices get a wrong object until a publish.
    public var damagedObjects: [String] = []
    /// The last release number that this content folder published, if the release directory has lost it; the next
    /// release is then due and continues after it.
    public var continuedAfter: Int?
    /// Source files that edits were copied back into.
    public var adopted: [String] = []
    /// The number of units that were read and built; the others were unchanged.
    public var unitsBuilt = 0
    /// The number of units in the content folder.
    public var unitsTotal = 0
    /// The number of objects written.
    public var objectsWritten = 0
    /// The size of the manifest in bytes.
    public var manifestBytes = 0
    /// Warnings about the sources that were read.
    public var warnings: [Problem] = []
    /// Keys that changed since the current release without a correction that names the former key as wrong.
    public var uncorrected: [KeyChange] = []
    /// The number of blueprints in the release, for languages and exams.
    public var blueprints = 0
    /// The devices that get the release; `nil` for all.
    public var rollout: RolloutSummary?
}

/// Publishes a content folder to a release directory.
///
/// The order makes a crash at any moment harmless: objects first, then everything else in a staging folder, then the
/// manifest by one rename, then the files that belong to it (`ReleaseCommit`). No file that the previous manifest names
/// ever changes.
public struct Publisher: Sendable {
    /// The content folder.
    public var folder: String
    /// The release directory.
    public var releaseDirectory: String
    /// The steps to run; files of other steps stay unchanged.
    public var steps: Set<PublishStep>
    /// True to read everything again, without trusting stamps or objects.
    public var verifies: Bool
    /// The handling of edits of served files.
    public var driftPolicy: DriftPolicy
    /// True for a release that only apps under development read.
    ///
    /// It names no other host, and is neither compressed nor synced to disk, which takes longer than all other work.
    public var isForDevelopment = false
    /// A callback with the number of built units.
    public var progress: PublishProgress?
    /// The publisher, such as `ada@desk`, for the release directory's record (`publications`); empty for unknown.
    public var author = ""
    /// The folder of the keys that sign a signed release (`underway trust`); `nil` without keys.
    public var keys: String?
    /// The devices that get the release; `nil` to continue a current rollout, or for all devices.
    public var rollout: RolloutChange?

    /// Profiles of the app's shipped versions, in addition to those of the folder's settings: files, or folders of
    /// them.
    public var supports: [String] = []
    /// True to let a release wait for signatures of other authors if the keys at hand are too few.
    public var leavesPending = false

    /// The fingerprint of the shown ``PublishPreview``, or `nil` for the current state; a publish of anything else
    /// stops before it changes a served file.
    package var expectedFingerprint: Checksum?

    /// Creates a publisher.
    public init(
        folder: String, releaseDirectory: String,
        steps: Set<PublishStep> = Set(PublishStep.allCases),
        verifies: Bool = false, driftPolicy: DriftPolicy = .refuse
    ) {
        self.folder = Self.trimmed(folder)
        self.releaseDirectory = Self.trimmed(releaseDirectory)
        self.steps = steps
        self.verifies = verifies
        self.driftPolicy = driftPolicy
    }

    /// Creates a publisher that signs.
    public init(folder: String, releaseDirectory: String, keys: String?) {
        self.init(folder: folder, releaseDirectory: releaseDirectory)
        self.keys = keys
    }

    /// Checks before a publish that the keys can sign a release.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, and errors of reading the keys.
    public func checkSigningKeys() throws {
        let directory = ReleaseDirectory(root: releaseDirectory)
        guard let trust = try ReleaseTrust(directory) else { return }
        let signing = try ReleaseSigning(trust, keys: keys, content: folder, now: Date())
        for role in [TrustRole.targets, .snapshot, .timestamp] where !signing.canSign(role) {
            throw PublishingError(
                .needsSignatures,
                "The keys in \(keys ?? "no folder") cannot sign for the role \(role.rawValue). `underway trust"
                    + " status` lists the ids of the keys that can.")
        }
    }

    /// Reads the keys that sign; `nil` where none were named.
    ///
    /// - Throws: `PublishingError`, and what ``KeyFolder`` throws.
    func loadedKeys() throws -> [SigningKey]? {
        try keys.map { try KeyFolder($0).load(apart: [releaseDirectory, folder]).map(\.key) }
    }

    /// Rejects keys for an unsigned release directory, since keys mean that the release should be signed.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, `unreadable`.
    public func checkIsSigned() throws {
        guard try !isSigned() else { return }
        let directory = ReleaseDirectory(root: releaseDirectory)
        let numbers = PublisherMemory(folder: folder)
        try numbers.checkRoot(
            of: directory.readMarks().identity, nil, folder: folder, directory: releaseDirectory)
        throw PublishingError(
            .needsSignatures,
            "\(releaseDirectory) is not signed, so that --keys would do nothing. Nothing was published."
                + (numbers.remembersRoots
                    ? " This content was published signed before: if that directory is lost, fetch it, with metadata, from the"
                        + " host or a backup, since devices follow no new root."
                    : " Publish without --keys, then `underway trust init` signs it."))
    }

    /// Returns true if the release must be signed.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    public func isSigned() throws -> Bool {
        let directory = ReleaseDirectory(root: releaseDirectory)
        // Verifying the rest is a matter of signing.
        return try ReleaseTrust.isBegun(in: directory) || ReleaseTrust(directory) != nil
    }

    /// Returns the number of the release that waits for authors' signatures; `nil` for none.
    public func pendingRelease() -> Int? {
        PendingFolder(of: ReleaseDirectory(root: releaseDirectory)).release
    }

    private static func trimmed(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Publishes the content folder.
    ///
    /// - Parameters:
    ///   - nowSeconds: Seconds since 1970.
    ///   - generatedAt: The same time in RFC 3339, for the manifest.
    /// - Returns: The result.
    /// - Throws: `PublishingError`, whose message names the live release.
    public func publish(nowSeconds: Int, generatedAt: String) throws -> PublishSummary {
        try run(.publish, nowSeconds: nowSeconds, generatedAt: generatedAt)
    }

    /// Returns the publications of releases, the newest last, at most 1,000.
    ///
    /// - Throws: `PublishingError` `unreadable` if the record exists and cannot be read.
    public func publications() throws -> [Publication] {
        try ReleaseDirectory(root: releaseDirectory).readPublications().entries
    }

    /// Refuses folders that are not what they are named as.
    ///
    /// - Throws: `PublishingError`.
    func checkFolders() throws {
        try ContentFolder.checkSettings(in: folder)
        let directory = ReleaseDirectory(root: releaseDirectory, isForDevelopment: isForDevelopment)
        try ReleasePlace(directory: directory, content: folder).check()
    }

    /// Runs what changes a release: alone, leaving nothing behind, and truthful about what is live.
    func run(
        _ action: PublishRequest.Action, nowSeconds: Int, generatedAt: String
    ) throws -> PublishSummary {
        // Before anything is made in the release directory.
        try checkFolders()
        let directory = ReleaseDirectory(root: releaseDirectory, isForDevelopment: isForDevelopment)
        var progress = ReleaseCommit.Progress.untouched
        var adopted: [String] = []
        do {
            let lock = try action == .publish ? directory.open() : directory.openExisting()
            defer { withExtendedLifetime(lock) {} }
            var run = try PublishRun(self, directory: directory)
            defer {
                progress = run.commit.progress
                adopted = run.content.summary.adopted
                run.commit.clear()
            }
            try run.checkNoLinks()
            try run.mendManifestSiblings()
            var plan = try run.plan(
                .init(action: action, publisher: run.publisher, generatedAt: generatedAt),
                now: nowSeconds)
            try run.prepareObjects(of: &plan)
            return try run.commit.run(
                plan, over: run.baseline, now: nowSeconds, memory: folder)
        } catch let error as PublishingError {
            throw error.saying(progress, of: directory, adopted: adopted)
        }
    }

    /// Returns the expected result of a publish, and changes nothing.
    ///
    /// - Throws: `PublishingError` if the content has errors or a file is unreadable.
    public func status() throws -> PublishSummary {
        try checkFolders()
        var run = try PublishRun(self, directory: ReleaseDirectory(root: releaseDirectory))
        return try run.plan(.init(action: .look, publisher: self), now: 0).summary
    }
}

extension PublishingError {
    /// Returns the same failure of the disk, and what is live after it.
    fileprivate func saying(
        _ progress: ReleaseCommit.Progress, of directory: ReleaseDirectory, adopted: [String]
    ) -> PublishingError {
        guard code == .unwritable || code == .unreadable else { return self }
        var error = self
        if !adopted.isEmpty {
            error.message +=
                " Edits were brought back into \(adopted.joined(separator: ", ")) before."
        }
        // What cannot be read now is not claimed to be live.
        guard let live = (try? directory.manifestBytes()).flatMap({ try? Manifest($0) }) else {
            error.message += " Nothing was published."
            return error
        }
        error.message += progress.sentence(live: live.release)
        return error
    }
}

extension ReleaseCommit.Progress {
    /// Returns the release that is live when a publish fails here, as a sentence.
    fileprivate func sentence(live release: Int) -> String {
        switch self {
        case .untouched:
            " Release \(release) is untouched and still live."
        case .withoutSiblings:
            " Release \(release) is still live, but without its compressed manifests until the next"
                + " publish."
        case .liveUnsigned:
            " Release \(release) is live for devices that want no signatures, and perhaps for some of the others. Publish"
                + " again, so that all get it."
        case .live:
            " Release \(release) is live all the same: only what follows its manifest is not"
                + " finished. Publish again to finish it."
        }
    }
}
