import ContentModel

/// The corrections of a release, and their effect on a server's answers.
package struct RegradeOverview: Sendable, Hashable, Codable {
    /// A correction of a bank.
    package struct Correction: Sendable, Hashable, Codable {
        /// The bank: a language, or a region and an exam separated by a slash.
        package var bank: String
        /// The question's id.
        package var question: String
        /// The wrong key.
        package var was: String
        /// The right key.
        package var `is`: String
        /// The day of the correction, if it is recorded.
        package var day: String?
        /// The versions that had the wrong key.
        package var versions: [String]
    }

    /// The release's number.
    package var release: Int
    /// The corrections by bank, in the order in which they were made.
    package var corrections: [Correction]
    /// The effect on the answers of a server; `nil` if no server was queried.
    package var server: RegradePreview?

    package init(_ corrections: ReleaseCorrections, server: RegradePreview? = nil) {
        release = corrections.release
        self.server = server
        self.corrections = corrections.banks.flatMap { bank in
            bank.blueprint.corrections.map { correction in
                Correction(
                    bank: bank.name, question: correction.question, was: correction.was,
                    is: correction.is, day: correction.day, versions: correction.versions)
            }
        }
    }
}
