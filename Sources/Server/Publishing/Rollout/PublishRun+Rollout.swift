import ContentModel
import ServiceAPI

extension PublishRun {
    /// The rollout of the next release: what was asked for, or the present one, so that a fix of a release under way
    /// goes to the devices that have that release, and to no others.
    ///
    /// - Throws: `PublishingError`.
    func nextRollout(release: @autoclosure () throws -> Int) throws -> Rollout? {
        let rollout = try askedRollout(release: release())
        if let rollout { try demandPrevious(of: rollout) }
        return rollout
    }

    /// Refuses a rollout whose other devices would find nothing, unless it only stops, or leaves nobody out later.
    private func demandPrevious(of rollout: Rollout) throws {
        let previous = rollout.previous
        guard let path = ReleasePath.history(release: previous.release) else { return }
        // What cannot be read is as good as missing.
        let retained = try? baseline.retained[previous.release]?.get()
        guard retained?.manifest != previous.manifest else { return }
        switch publisher.rollout {
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

    private func askedRollout(release: @autoclosure () throws -> Int) throws -> Rollout? {
        // What all devices had before goes to all of them.
        guard !directory.isForDevelopment, !restoresOlderRelease else { return nil }
        if let change = publisher.rollout {
            if baseline.rollout == nil, !change.isForAll, baseline.isBehind {
                throw PublishingError(
                    .needsSignatures,
                    "The signatures in \(directory.root) are older than those made before, as from a backup: the release that the"
                        + " others would keep may have been taken back. Nothing was published. Publish for all devices first, with `--rollout 100`."
                )
            }
            return try change.rollout(
                after: baseline.rollout, release: release(), before: baseline.before())
        }
        // What waits for signatures is finished by the command that left it: what it says of devices is not believed.
        try baseline.demandClearRollout()
        return baseline.rollout
    }

    /// Lets a rollout that changes be a reason for a release, though the content is the same.
    ///
    /// Where no rollout is under way, what does not differ goes to all devices already.
    /// - Throws: `PublishingError` `invalidRequest`.
    mutating func noteRolloutChange() throws {
        let isUnderWay = index.rollout != nil || baseline.rollout != nil
        let isAsked = publisher.rollout != nil && (differs || isUnderWay)
        guard isAsked else { return }
        guard try nextRollout(release: baseline.nextRelease) != index.rollout else { return }
        changesRolloutOnly = !differs
        markChanged()
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

    /// True when it goes on with a rollout, or begins one after a release.
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
