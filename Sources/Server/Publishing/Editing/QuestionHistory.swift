package import ContentModel

/// The states of a question in the retained releases of a release directory.
///
/// ```swift
/// let history = QuestionHistory(of: "swift-001", in: "int/swift", releaseDirectory: "release")
/// for state in history.states { print(state.releases, state.question.stem) }
/// ```
package struct QuestionHistory: Sendable, Hashable {
    /// A state of the question, and the consecutive retained releases with it.
    package struct State: Sendable, Hashable {
        /// The first and the last of these releases.
        package var releases: ClosedRange<Int>
        /// The question.
        package var question: Question
    }

    /// The states, the newest first, up to the first release without the question.
    package private(set) var states: [State] = []
    /// The newest unreadable release, whose state and all earlier ones are unknown; `nil` if all were read.
    package private(set) var unread: Int?
    /// True when the oldest retained release has the question, so that earlier states are unknown.
    package private(set) var isCut = false

    /// The most kept releases that are looked at.
    private static let releasesMax = 1_000

    /// Reads the retained releases from the newest back.
    ///
    /// Cost: a manifest for each release, and the bank for each of its states.
    /// - Parameters:
    ///   - id: The question's id.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - releaseDirectory: The release directory; a missing directory has no states.
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

    /// Returns the question in a retained release; `nil` if it is unknown.
    package func question(in release: Int) -> Question? {
        states.first { $0.releases.contains(release) }?.question
    }
}
