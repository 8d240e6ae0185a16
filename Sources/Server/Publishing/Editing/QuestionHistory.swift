package import ContentModel

/// The states of a question in the kept releases of a release directory.
///
/// ```swift
/// let history = QuestionHistory(of: "swift-001", in: "int/swift", releaseDirectory: "release")
/// for state in history.states { print(state.releases, state.question.stem) }
/// ```
package struct QuestionHistory: Sendable, Hashable {
    /// A state of the question, and the kept releases in a row that have it.
    package struct State: Sendable, Hashable {
        /// The releases, from the first that has the state to the last.
        package var releases: ClosedRange<Int>
        /// The question.
        package var question: Question
    }

    /// The states, the newest first, up to the first release without the question.
    package private(set) var states: [State] = []
    /// The newest release that could not be read, whose states and all before are unknown; `nil` when all were read.
    package private(set) var unread: Int?
    /// True when the oldest kept release has the question, so that what was before it is not known.
    package private(set) var isCut = false

    /// The most kept releases that are looked at.
    private static let releasesMax = 1_000

    /// Reads the kept releases from the newest back.
    ///
    /// Cost: a manifest for each release, and the bank for each of its states.
    /// - Parameters:
    ///   - id: The question's id.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - releaseDirectory: The release directory; one that does not exist has no states.
    package init(of id: String, in bank: String, releaseDirectory: String) {
        let directory = ReleaseDirectory(root: releaseDirectory)
        let path = ReleasePath(bank.contains("/") ? .exam : .blueprint, key: bank)?.text
        var bankState: Checksum?
        for release in directory.keptReleases.reversed().prefix(Self.releasesMax) {
            guard let manifest = try? directory.manifest(release: release) else {
                unread = release
                return
            }
            let entry = manifest.entries.first { $0.path.text == path }
            guard let checksum = entry?.checksum else { return }
            if checksum == bankState {
                extend(to: release)
                continue
            }
            bankState = checksum
            guard let bytes = try? directory.object(checksum),
                let blueprint = try? Blueprint(released: bytes)
            else {
                unread = release
                return
            }
            guard let question = blueprint.questions.first(where: { $0.id == id }) else { return }
            if states.last?.question == question {
                extend(to: release)
            } else {
                states.append(State(releases: release...release, question: question))
            }
        }
        isCut = !states.isEmpty && directory.keptReleases.first != 1
    }

    private mutating func extend(to release: Int) {
        guard let last = states.indices.last else { return }
        states[last].releases = release...states[last].releases.upperBound
    }

    /// Returns the question as a kept release had it; `nil` when it is not known.
    package func question(in release: Int) -> Question? {
        states.first { $0.releases.contains(release) }?.question
    }
}
