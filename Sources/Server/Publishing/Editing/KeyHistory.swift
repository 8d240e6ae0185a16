package import ContentModel

/// The versions of a question that a release directory has, and the keys that they were released with.
///
/// ```swift
/// let history = KeyHistory(of: "swift-001", in: "int/swift", releaseDirectory: "release")
/// print(history.versions(with: "b"))
/// ```
package struct KeyHistory: Sendable, Hashable {
    /// A version of the question.
    package struct Version: Sendable, Hashable {
        /// The version, see `Question.contentVersion`.
        package var version: String
        /// The question as it asks, see `Question.asked`.
        package var asked: Question
        /// Its key, see `Question.keyLabel`.
        package var key: String { asked.keyLabel }
        /// The newest release that has it.
        package var release: Int
    }

    /// The versions, the newest first, up to the first release without the question.
    package private(set) var all: [Version] = []
    /// The newest release that could not be read, whose versions and all before are unknown; `nil` when all were read.
    package private(set) var unread: Int?
    /// True when the oldest kept release has the question, so that earlier versions are not known.
    package private(set) var isCut = false

    /// Reads the kept releases from the newest back.
    ///
    /// - Parameters:
    ///   - id: The question's id.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - releaseDirectory: The release directory; one that does not exist has no versions.
    package init(of id: String, in bank: String, releaseDirectory: String) {
        self.init(QuestionHistory(of: id, in: bank, releaseDirectory: releaseDirectory))
    }

    /// Takes the versions of a history that was read.
    package init(_ history: QuestionHistory) {
        unread = history.unread
        isCut = history.isCut
        for state in history.states {
            let version = state.question.contentVersion
            if all.last?.version == version { continue }
            all.append(
                Version(
                    version: version, asked: state.question.asked,
                    release: state.releases.upperBound))
        }
    }

    /// The key before the present one; `nil` when there was none.
    package func key(before present: String) -> String? {
        all.first { $0.key != present }?.key
    }

    /// Returns the versions that asked the same with a key: of the newest run of that key, back to the first other one.
    ///
    /// One with another text or other options is not among them: its key may have been right, as before options were
    /// swapped.
    ///
    /// - Parameter key: The key, see `Question.keyLabel`.
    /// - Returns: The versions, the newest first, each once; at most as many as a correction names.
    package func versions(with key: String) -> [String] {
        let run = run(of: key)
        var found: [String] = []
        for version in run
        where version.asked == run.first?.asked && !found.contains(version.version) {
            found.append(version.version)
        }
        return Array(found.prefix(ContentLimits.correctedVersionsMax))
    }

    /// Returns the number of versions of the same run that asked otherwise.
    package func otherVersionCount(with key: String) -> Int {
        let run = run(of: key)
        return Set(run.filter { $0.asked != run.first?.asked }.map(\.version)).count
    }

    /// Returns true when versions with the key may have been in releases that are no longer kept.
    package func isCut(with key: String) -> Bool { isCut && all.last?.key == key }

    private func run(of key: String) -> ArraySlice<Version> {
        all.drop { $0.key != key }.prefix { $0.key == key }
    }
}
