import ContentModel

/// A change of a release's rollout by an author.
public enum RolloutChange: Sendable, Hashable {
    /// Sets the share of devices and the app versions; `nil` leaves a version bound unchanged, an empty text removes
    /// it.
    case set(percent: Int, minimumAppVersion: String? = nil, maximumAppVersion: String? = nil)
    /// Pauses the rollout: no further device gets the release.
    case pause
    /// Resumes the rollout.
    case resume

    /// Returns the rollout of the next release.
    ///
    /// - Parameters:
    ///   - present: That of the current release; `nil` where all devices take it.
    ///   - release: The number of the next release.
    ///   - before: The current release, asked for where a rollout begins or goes on.
    /// - Returns: `nil` where all devices take it.
    /// - Throws: `PublishingError` `invalidRequest` for what cannot be done, and what `before` throws.
    func rollout(
        after present: Rollout?, release: Int,
        before: @autoclosure () throws(PublishingError) -> Rollout.Previous?
    ) throws(PublishingError) -> Rollout? {
        // Where no rollout is under way, "for all" is nothing special.
        if present == nil, isForAll { return nil }
        var rollout = try begun(present, release: release, before: before())
        switch self {
        case .set(let percent, let minimum, let maximum):
            rollout.percent = percent
            if let minimum { rollout.minimumAppVersion = minimum.isEmpty ? nil : minimum }
            if let maximum { rollout.maximumAppVersion = maximum.isEmpty ? nil : maximum }
        case .pause: rollout.isPaused = true
        case .resume: rollout.isPaused = false
        }
        if let problem = rollout.problem {
            throw PublishingError(.invalidRequest, "The rollout \(problem).")
        }
        return rollout.isComplete ? nil : rollout
    }

    /// True where it leaves out nobody.
    var isForAll: Bool {
        if case .set(100, nil, nil) = self { return true }
        return false
    }

    /// Refuses a share of devices that have all taken part already.
    ///
    /// - Parameter present: The rollout under way; `nil` for none.
    /// - Throws: `PublishingError` `invalidRequest`.
    func checkShareMatters(in present: Rollout?) throws {
        guard case .set(let percent, _, _) = self, percent < 100, let present,
            present.percent == 100, !present.isPaused
        else { return }
        throw PublishingError(
            .invalidRequest,
            "A share would exclude no device: each device\(RolloutSummary(present).versions) takes part in the rollout since"
                + " release \(present.since). Publish without --rollout, or release to all devices first:"
                + " `underway rollout set 100 --min-app-version any --max-app-version any`."
        )
    }

    static let nothingToChange = PublishingError(
        .invalidRequest,
        "The current release goes to every device already. `underway publish --rollout 10` rolls out the next one."
    )

    private func begun(
        _ present: Rollout?, release: Int, before: Rollout.Previous?
    ) throws(PublishingError) -> Rollout {
        if let present { return present }
        guard case .set = self else { throw Self.nothingToChange }
        guard let before else {
            throw PublishingError(
                .invalidRequest,
                "The first release goes to every device, because there is no earlier one for the others. Publish without --rollout."
            )
        }
        return Rollout(since: release, percent: 0, previous: before)
    }
}

/// The devices that get a release, in the JSON form of `publish --json`.
public struct RolloutSummary: Codable, Sendable, Hashable {
    /// The release that began the rollout.
    public var since: Int
    /// The share of devices in percent.
    public var percent: Int
    /// True while no further device gets the release.
    public var isPaused: Bool
    /// The oldest version of the app that gets it; `nil` for any.
    public var minimumAppVersion: String?
    /// The newest version of the app that gets it; `nil` for any.
    public var maximumAppVersion: String?
    /// The release of the other devices.
    public var previousRelease: Int

    init(_ rollout: Rollout) {
        since = rollout.since
        percent = rollout.percent
        isPaused = rollout.isPaused
        minimumAppVersion = rollout.minimumAppVersion
        maximumAppVersion = rollout.maximumAppVersion
        previousRelease = rollout.previous.release
    }

    /// A short description of the devices.
    package var words: String { "\(percent) %\(versions)\(isPaused ? ", paused" : "")" }

    /// The options of `publish` by which a release goes to these devices.
    var options: String {
        let versions = [
            minimumAppVersion.map { " --min-app-version \($0)" },
            maximumAppVersion.map { " --max-app-version \($0)" },
        ]
        return "--rollout \(percent)" + versions.compactMap(\.self).joined()
    }

    fileprivate var versions: String {
        switch (minimumAppVersion, maximumAppVersion) {
        case (nil, nil): ""
        case (let oldest?, nil): " with the app \(oldest) or newer"
        case (nil, let newest?): " with the app \(newest) or older"
        case (let oldest?, let newest?): " with the app \(oldest) to \(newest)"
        }
    }

    /// Returns a sentence about the devices that get a release.
    package func sentence(of release: Int) -> String {
        let share = percent == 100 ? "all devices" : "\(percent) % of the devices"
        let hasMore = since < release && (isPaused || percent < 100)
        let more = hasMore ? " and to those that have a release from \(since) on" : ""
        // A device that took part keeps what it has, though it takes no more of it.
        let others =
            since < release
            ? "the others keep what they have, and new ones get release" : "the others have release"
        return
            "Release \(release) goes to \(share)\(versions)\(more); \(others) \(previousRelease)."
    }
}
