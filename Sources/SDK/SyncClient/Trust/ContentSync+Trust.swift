import ContentModel
import Foundation
import OfflineStorage

/// A manifest that is signed by the pinned keys.
struct TrustedManifest: Sendable {
    /// The signed length and checksum.
    let target: TargetFile
    let checksum: Checksum
    /// The path on the host.
    let path: String
    /// The validator of the timestamp.
    let validator: String?
}

extension ContentSync {
    /// Returns the metadata that this device trusts at the start of an update; `nil` without a pinned root.
    ///
    /// - Throws: `StoreError`.
    func trustedSoFar() throws -> TrustedMetadata? {
        guard trust.isPinned else { return nil }
        return trust.trusted(stored: try store.storedTrust(), bundled: store.bundledTrustFiles())
    }

    /// Updates the trust metadata and finds the signed manifest (TUF 5.3 to 5.6).
    ///
    /// Each verified file is stored at once, so that an interrupted run resumes after it.
    /// - Parameters:
    ///   - trusted: The metadata trusted so far.
    ///   - validator: The validator of the stored timestamp; `nil` for no condition.
    /// - Returns: The length, checksum and path of the manifest.
    /// - Throws: `SyncError`, `TransportError` or `StoreError`.
    func trustedManifest(
        after trusted: TrustedMetadata, validator: String?
    ) async throws -> TrustedManifest {
        let startedAt = clock()
        var update = MetadataUpdate(trusted, startedAt: startedAt)
        var newTag = validator
        do {
            while let request = update.request {
                let before = update.trusted
                let isTimestamp = request.role == TrustRole.timestamp.rawValue
                let reply = try await downloader.metadata(
                    request, validator: isTimestamp ? validator : nil,
                    unless: isTimestamp ? before.file(.timestamp) : nil, now: startedAt)
                switch reply {
                case .absent where request.role == TrustRole.root.rawValue:
                    try update.notFound()
                case .absent(let failure):
                    throw isTimestamp ? SyncError.noSignatures(failure) : failure
                case .file(let bytes, let tag):
                    if isTimestamp { newTag = tag }
                    try update.received(bytes)
                }
                if !update.trusted.hasSameFiles(as: before) { try store.save(update.trusted) }
            }
            return try await manifest(in: update.trusted, newTag, startedAt)
        } catch let error as TrustError {
            throw SyncError(error)
        }
    }

    private func manifest(
        in trusted: TrustedMetadata, _ validator: String?, _ startedAt: Date
    ) async throws -> TrustedManifest {
        var search = try TargetSearch(
            MetadataDocument.manifestPath, in: trusted, startedAt: startedAt)
        while let request = search.request {
            switch try await downloader.metadata(request, now: startedAt) {
            case .absent(let failure): throw failure
            case .file(let bytes, _): try search.received(bytes)
            }
        }
        guard let target = search.result, let checksum = target.checksum,
            let location = target.location(
                hasConsistentSnapshots: trusted.hasConsistentSnapshots, by: trusted.hashes)
        else {
            throw SyncError(
                .untrusted,
                "The signed metadata name no manifest with a SHA-256. Publish and sign it again.")
        }
        return TrustedManifest(
            target: target, checksum: checksum, path: "targets/\(location)", validator: validator)
    }
}

extension SyncError {
    /// Creates the error of a host without signatures, which this device requires.
    fileprivate static func noSignatures(_ failure: SyncError) -> SyncError {
        guard failure.code != .captivePortal else { return failure }
        return SyncError(
            failure.code,
            "\(failure.message) This device accepts only signed releases: the release there is not signed,"
                + " or its signatures are missing. Sign it, or copy its signatures to the host.",
            cause: failure)
    }

    /// Creates an error of metadata that a device rejects; the installed release remains.
    init(_ error: TrustError) {
        let code: Code =
            switch error.code {
            case .expired: .expired
            case .rolledBack: .rolledBack
            // As in the middle of a publish; asked for again.
            case .mismatched: .checksumMismatch
            case .tooLarge: .wrongLength
            case .notFound: .notFound
            default: .untrusted
            }
        self.init(code, "The host's content was rejected. \(error.message)", cause: error)
    }
}

extension TrustedMetadata {
    /// Returns true when nothing has to be stored after another state.
    fileprivate func hasSameFiles(as other: TrustedMetadata) -> Bool {
        TrustRole.allCases.allSatisfy { file($0)?.bytes == other.file($0)?.bytes }
    }
}
