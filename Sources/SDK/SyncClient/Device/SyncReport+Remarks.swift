import ContentModel

extension SyncReport {
    /// True when nothing could be synced.
    var hasFailed: Bool {
        if case .failed = outcome { true } else { false }
    }

    /// True when the disk did not accept the fetched content.
    package var couldNotSave: Bool {
        if case .failed(let failure) = outcome { failure.code == .storage } else { false }
    }

    /// True when the app cannot use the offered release, or a part of it.
    package var isRefused: Bool {
        switch outcome {
        case .refused, .banned: true
        default: !refused.isEmpty
        }
    }

    /// True when every missing document of the release was not delivered yet.
    package var isUndelivered: Bool {
        !refused.isEmpty && unlistedRefusedCount == 0 && refused.allSatisfy(\.isTriedAgain)
    }

    /// The lines about the problem of the last check or unused content, and about each document that this version
    /// cannot read.
    package var remarks: [String] {
        if let lastProblem { return ["The last check failed: \(lastProblem)"] }
        let changeset = changesetProblem.map { "Fetched without a changeset: \($0)" }
        let base = [contentBaseProblem, heldRelease?.text, changeset].compactMap(\.self)
        guard !refused.isEmpty || !partial.isEmpty else { return base }
        let lines = refused.map { document in
            let shown = document.shownRelease.map { "Release \($0) of it stays." }
            let state = document.isTriedAgain ? "Not here yet" : "Not readable here"
            return "\(state): \(document) \(shown ?? "There is no earlier one.")"
        }
        let isForNewer = !partial.isEmpty || refused.contains { !$0.isTriedAgain }
        let more = unlistedRefusedCount > 0 ? ["And \(unlistedRefusedCount) more."] : []
        return base + lines + more + partial.map { "Left out: \($0)" }
            + (isForNewer ? ["A newer version may read them."] : [])
    }
}
