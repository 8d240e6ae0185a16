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

    /// Refuses a rollout whose other devices would find nothing.
    private func demandPrevious(of rollout: Rollout) throws {
        let previous = rollout.previous
        guard let path = ReleasePath.history(release: previous.release) else { return }
        let bytes = try? Files.read(directory.path(path), limit: ContentLimits.manifestBytesMax)
        guard bytes.map({ Checksum(of: $0) }) != previous.manifest else { return }
        throw PublishingError(
            .unreadable,
            "\(directory.path(path)) is missing or damaged, which the devices that the rollout leaves out have or get."
                + " Restore it from a backup or a host, or let all have the release: `underway rollout set 100`."
        )
    }

    private func askedRollout(release: @autoclosure () throws -> Int) throws -> Rollout? {
        // What all devices had before goes to all of them.
        guard !directory.isForDevelopment, !restoresOlderRelease else { return nil }
        guard let change = publisher.rollout else {
            // What waits for signatures is finished as it was begun.
            return pending.map(\.rollout) ?? index.rollout
        }
        return try change.rollout(
            after: index.rollout, release: release(), before: presentRelease())
    }

    /// Lets a rollout that changes be a reason for a release, though the content is the same.
    ///
    /// Where no rollout is under way, what does not differ goes to all devices already.
    /// - Throws: `PublishingError` `invalidRequest`.
    mutating func noteRolloutChange() throws {
        let isAsked = publisher.rollout != nil && (differs || index.rollout != nil)
        guard isAsked || pending != nil else { return }
        guard try nextRollout(release: nextRelease) != index.rollout else { return }
        changesRolloutOnly = !differs
        markChanged()
    }

    /// The release that is current before this publish; `nil` for none.
    ///
    /// - Throws: `PublishingError` `unreadable` when its manifest is gone.
    private func presentRelease() throws -> Rollout.Previous? {
        guard let path = ReleasePath.history(release: loaded.release) else { return nil }
        let bytes = try Files.read(
            directory.path(path), limit: ContentLimits.manifestBytesMax)
        return Rollout.Previous(
            release: loaded.release, manifest: Checksum(of: bytes), size: bytes.count)
    }
}
