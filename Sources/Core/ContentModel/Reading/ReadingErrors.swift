public import Foundation

extension ContentError: LocalizedError {
    /// The first problem and the number of others, in English.
    public var errorDescription: String? { description }
}

extension ManifestError: LocalizedError {
    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
