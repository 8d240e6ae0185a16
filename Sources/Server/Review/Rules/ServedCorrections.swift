import Crypto
import Foundation

/// The corrections of wrong keys in the served release, by which stored answers are regraded.
///
/// ```swift
/// let corrections = ServedCorrections(release: 7, entries: [(version, "a")]) { version, response, grade in
///     response == ["a"] ? .init(isCorrect: true, credit: 1) : .init(isCorrect: false, credit: 0)
/// }
/// ```
package struct ServedCorrections: Sendable {
    /// A version of a question that had a wrong key.
    package struct Version: Sendable, Hashable {
        /// The bank of the question.
        package var bank: String
        /// The question's id.
        package var question: String
        /// The version, see `Question.contentVersion`.
        package var version: String

        package init(bank: String, question: String, version: String) {
            self.bank = bank
            self.question = question
            self.version = version
        }
    }

    /// The grade of an answer.
    package struct Grade: Sendable, Hashable {
        /// True when the answer matches the key.
        package var isCorrect: Bool
        /// The credit, 1 for the key.
        package var credit: Double

        package init(isCorrect: Bool, credit: Double) {
            self.isCorrect = isCorrect
            self.credit = credit
        }
    }

    /// A function that regrades a response to a version; `nil` if its grade stays.
    package typealias Grading =
        @Sendable (_ version: Version, _ response: [String], _ grade: Grade) -> Grade?

    /// The release.
    package let release: Int
    /// The versions, without duplicates.
    package let versions: [Version]
    /// The identifier of this set: equal for the same versions with the same keys.
    package let digest: String
    private let grading: Grading

    /// Combines the versions with their grading.
    ///
    /// - Parameters:
    ///   - release: The release.
    ///   - entries: The versions, each with a text of everything that its grades depend on: its key and its options.
    ///   - grading: The function that regrades responses to them.
    package init(
        release: Int, entries: [(version: Version, key: String)], grading: @escaping Grading
    ) {
        self.release = release
        self.grading = grading
        let lines = entries.map { entry in
            [entry.version.bank, entry.version.question, entry.version.version, entry.key]
                .joined(separator: "\0")
        }
        digest = SHA256.hash(data: Data(lines.sorted().joined(separator: "\n").utf8))
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        versions = Array(Set(entries.map(\.version)))
    }

    /// Regrades a response; returns `nil` if its grade stays.
    package func grade(
        _ version: Version, _ response: [String], _ grade: Grade
    ) -> Grade? {
        guard let new = grading(version, response, grade), new != grade else { return nil }
        return new
    }
}

/// The progress of applying a release's corrections to stored answers.
package struct RegradeState: Sendable, Hashable {
    /// The release of the corrections, the newest that any process served.
    package var release: Int
    /// The set of corrections.
    package var digest: String
    /// The last account that was examined for this set; `nil` after all accounts.
    package var sweptThrough: Int64?

    package init(release: Int, digest: String, sweptThrough: Int64?) {
        self.release = release
        self.digest = digest
        self.sweptThrough = sweptThrough
    }

    /// Creates the state after adopting corrections; an older release, or a first one without any, changes nothing.
    package init?(_ known: RegradeState?, following corrections: ServedCorrections) {
        guard corrections.release > known?.release ?? -1,
            known != nil || !corrections.versions.isEmpty
        else {
            guard let known else { return nil }
            self = known
            return
        }
        let isKnown = known?.digest == corrections.digest
        self.init(
            release: corrections.release, digest: corrections.digest,
            sweptThrough: isKnown ? known?.sweptThrough : 0)
    }
}

/// The outcome of regrading answers.
package struct RegradeReport: Sendable, Hashable {
    /// The number of examined accounts.
    package var members = 0
    /// The number of accounts with a changed grade.
    package var changedMembers = 0
    /// The number of answers with a changed grade.
    package var answers = 0

    package init() {}
}
