public import Foundation
public import Underway

/// The content that screens show, with its freshness.
public protocol StudyContent: Sendable {
    /// Returns the freshness of the installed content; `nil` when there is none.
    func freshness() async throws -> ContentFreshness?
    /// Returns the manifest of the installed release.
    func manifest() async throws -> Fresh<Manifest>
    /// Returns the questions of a bank with their scoring.
    func blueprint(_ bank: QuestionFilter.Bank) async throws -> Fresh<Blueprint>
    /// Returns the texts of the app in a language.
    func localization(language: String) async throws -> Fresh<Localization>
    /// Returns the file of a fetched image or clip; `nil` when it is not on the device.
    func lazyFile(_ checksum: Checksum, now: Date) async throws -> URL?
}

extension OfflineStore: StudyContent {}
