import ContentModel

extension TrustedBaseline {
    /// The rollout under way, as far as signatures name it; `nil` for none.
    var rollout: Rollout? { isVouched ? found.index.rollout : signed?.rollout }

    /// The number of the release that devices have; 0 for none.
    var currentNumber: Int { isVouched ? found.index.release : signed?.release ?? 0 }

    /// True when signatures are missing for a release that is there.
    private var lacksSignatures: Bool { !isVouched && signed == nil }

    /// Takes note of a retained manifest.
    mutating func retain(_ manifest: ManifestFile) {
        let (checksum, size) = (manifest.checksum, manifest.bytes.count)
        retained[manifest.release] = .success(
            .init(release: manifest.release, manifest: checksum, size: size))
    }

    /// Returns the rollout of the next release: the requested one, or the current one, so that a fix of a release
    /// during its rollout goes only to the devices that have that release.
    ///
    /// - Parameters:
    ///   - change: The requested change; `nil` to continue as before.
    ///   - release: The number of the next release.
    /// - Returns: The rollout; `nil` for all devices.
    /// - Throws: `PublishingError`.
    func nextRollout(
        _ change: RolloutChange?, release: @autoclosure () throws(PublishingError) -> Int
    ) throws(PublishingError) -> Rollout? {
        guard !directory.isForDevelopment else { return nil }
        guard let change else {
            // What waits for signatures is finished by the command that left it: what it says of devices is not believed.
            try checkClearRollout()
            if let rollout { try checkPrevious(of: rollout, after: nil) }
            return rollout
        }
        if rollout == nil, !change.isForAll, isBehind {
            throw PublishingError(
                .needsSignatures,
                "The signatures in \(directory.root) are older than the last ones made, for example because a backup was restored."
                    + " The release of the other devices may have been rolled back. Nothing was published. Publish for all"
                    + " devices first, with `--rollout 100`."
            )
        }
        let next = try change.rollout(after: rollout, release: release(), before: before())
        if let next { try checkPrevious(of: next, after: change) }
        return next
    }

    /// Returns the release that devices keep which a new rollout leaves out; `nil` for none.
    ///
    /// - Throws: `PublishingError` `unreadable`, `needsSignatures` where no signature names a release.
    private func before() throws(PublishingError) -> Rollout.Previous? {
        guard !lacksSignatures else {
            throw PublishingError(
                .needsSignatures,
                "The current keys have signed no release for the other devices yet, for example because a change of keys was"
                    + " interrupted. Nothing was published. Change the content to what all devices may have, and run"
                    + " `underway publish --rollout 100` first.")
        }
        let number = currentNumber
        guard number > 0 else { return nil }
        if let named = trust?.trusted.manifest, let checksum = named.checksum {
            return .init(release: number, manifest: checksum, size: named.length)
        }
        guard let kept = retained[number] else {
            preconditionFailure("a change of the rollout reads the current release")
        }
        return try kept.get()
    }

    /// Refuses to guess which devices get a release.
    private func checkClearRollout() throws(PublishingError) {
        if let trust, memory.lastWasRollout(trust), isBehind || signed == nil {
            throw PublishingError(
                .needsSignatures,
                "The release directory lacks the last signed release of this content folder, for example because a backup was"
                    + " restored, and that release went only to some devices. Nothing was published. Change the content to"
                    + " what all devices may have, and run `underway publish --rollout 100`.")
        }
        guard !isVouched, found.index.rollout != rollout else { return }
        throw PublishingError(
            .needsSignatures,
            "The manifest names other devices than the last signed release, for example because a publish was interrupted."
                + " Nothing was published. Name the devices that get the release: `--rollout 100` for all"
                + (lacksSignatures ? "." : ", or another share."))
    }

    /// Refuses a rollout whose other devices would find nothing, unless it only stops, or leaves nobody out later.
    private func checkPrevious(
        of rollout: Rollout, after change: RolloutChange?
    ) throws(PublishingError) {
        let previous = rollout.previous
        guard let path = ReleasePath.history(release: previous.release) else { return }
        // What cannot be read is as good as missing.
        let found = try? retained[previous.release]?.get()
        guard found?.manifest != previous.manifest else { return }
        switch change {
        case .pause, .resume: return
        case nil, .set: break
        }
        guard !rollout.isCompleteButForAPause else { return }
        throw PublishingError(
            .unreadable,
            "\(directory.path(path)) is missing or not as it was published, which the devices that the rollout leaves out have or"
                + " get. Restore it from a backup or a host, or let all have the release: \(rollout.wayToAll)."
        )
    }
}

extension Rollout {
    /// True when every device takes the release as soon as it is not paused any more.
    fileprivate var isCompleteButForAPause: Bool {
        var resumed = self
        resumed.isPaused = false
        return resumed.isComplete
    }

    /// The commands by which every device gets the release.
    fileprivate var wayToAll: String {
        let versions = [
            minimumAppVersion.map { _ in " --min-app-version any" },
            maximumAppVersion.map { _ in " --max-app-version any" },
        ]
        let set = "`underway rollout set 100\(versions.compactMap(\.self).joined())`"
        return isPaused ? "\(set), then `underway rollout resume`" : set
    }

    /// Returns true when it goes on with a rollout, or begins one after a release.
    ///
    /// - Parameters:
    ///   - present: The rollout under way; `nil` for none.
    ///   - before: The release before.
    ///   - release: The number of the new one.
    /// - Returns: True when devices that it leaves out are led where signed releases lead them.
    func follows(_ present: Rollout?, after before: Previous?, release: Int) -> Bool {
        present.map { $0.previous == previous && $0.since == since }
            ?? (previous == before && since == release)
    }
}
