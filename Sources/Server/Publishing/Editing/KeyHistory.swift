package import ContentModel

/// The versions of a question in a release directory, with their released keys.
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
        /// The question without the parts that learners do not see before answering, see `Question.asked`.
        package var asked: Question
        /// Its key, see `Question.keyLabel`.
        package var key: String { asked.keyLabel }
        /// The newest release of the version.
        package var release: Int
    }

    /// The versions, the newest first, up to the first release without the question.
    package private(set) var all: [Version] = []
    /// The newest unreadable release, whose versions and all earlier ones are unknown; `nil` if all were read.
    package private(set) var unread: Int?
    /// True when the oldest retained release has the question, so that earlier versions are unknown.
    package private(set) var isCut = false

    /// Reads the retained releases from the newest back.
    ///
    /// - Parameters:
    ///   - id: The question's id.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - releaseDirectory: The release directory; a missing directory has no versions.
    package init(of id: String, in bank: String, releaseDirectory: String) {
        self.init(QuestionHistory(of: id, in: bank, releaseDirectory: releaseDirectory))
    }

    /// Creates a history of versions from a history of the question.
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

    /// Returns the key before the current one; `nil` without an earlier key.
    package func key(before present: String) -> String? {
        all.first { $0.key != present }?.key
    }

    /// Returns the versions with the same question and a key, in the newest run of that key.
    ///
    /// A version with another text or other options is excluded: its key may have been right, for example before
    /// options were swapped.
    ///
    /// - Parameter key: The key, see `Question.keyLabel`.
    /// - Returns: The versions, the newest first, without duplicates, up to the limit of a correction.
    package func versions(with key: String) -> [String] {
        let run = run(of: key)
        var found: [String] = []
        for version in run
        where version.asked == run.first?.asked && !found.contains(version.version) {
            found.append(version.version)
        }
        return Array(found.prefix(ContentLimits.correctedVersionsMax))
    }

    /// Returns the number of versions of the same run with another question.
    package func otherVersionCount(with key: String) -> Int {
        let run = run(of: key)
        return Set(run.filter { $0.asked != run.first?.asked }.map(\.version)).count
    }

    /// Returns true if releases that are no longer retained may contain versions with the key.
    package func isCut(with key: String) -> Bool { isCut && all.last?.key == key }

    private func run(of key: String) -> ArraySlice<Version> {
        all.drop { $0.key != key }.prefix { $0.key == key }
    }
}
