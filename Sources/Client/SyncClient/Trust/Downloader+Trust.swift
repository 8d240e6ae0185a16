import ContentModel
import Foundation
import ServiceAPI
import WebTransfer

extension Downloader {
    /// A reply to a request for metadata.
    enum MetadataReply: Sendable {
        case file([UInt8], entityTag: String?)
        /// The host does not have it, or does not say so.
        case absent(SyncError)
    }

    /// Fetches a file of metadata past every cache, at most as long as the request allows.
    ///
    /// - Parameters:
    ///   - request: The file.
    ///   - entityTag: The validator of the stored file; `nil` for no condition.
    ///   - stored: The stored file, which an unchanged one is. Where it has expired, the host is asked once more
    ///     without the condition: some give a new file the validator of the old one.
    ///   - now: The time of the update.
    /// - Returns: The file, also where it is the stored one, or that the host does not have it.
    /// - Throws: `SyncError` or `TransportError`.
    func metadata(
        _ request: MetadataRequest, entityTag: String? = nil,
        unless stored: TrustedMetadata.File? = nil, now: Date
    ) async throws -> MetadataReply {
        let path = "metadata/\(request.path)"
        let condition = stored == nil ? nil : entityTag
        guard
            let reply = try await smallFile(path, bytesMax: request.bytesMax, condition)
        else {
            if let stored, stored.expires > now {
                return .file(stored.bytes, entityTag: entityTag)
            }
            return try await wholeFile(path, bytesMax: request.bytesMax)
        }
        return reply
    }

    /// A reply to a request for a changeset.
    enum ChangesetReply: Sendable {
        case unchanged
        case absent
        case file([UInt8], entityTag: String?)
    }

    /// Fetches the changeset that leads on from a release.
    ///
    /// - Parameters:
    ///   - release: The number of the installed release.
    ///   - entityTag: The validator of the last one; `nil` for no condition.
    ///   - passesCaches: True to ask the host itself.
    /// - Returns: The bytes, not verified.
    /// - Throws: `SyncError`, `captivePortal` for a web page, or `TransportError`.
    func changeset(
        from release: Int, entityTag: String?, passesCaches: Bool
    ) async throws -> ChangesetReply {
        guard let path = ReleasePath.changes(from: release)?.text else { return .absent }
        let reply = try await smallFile(
            path, bytesMax: ChangesetLimits.bytesMax, entityTag, passesCaches: passesCaches)
        switch reply {
        case nil: return .unchanged
        case .file(let bytes, let tag)?: return .file(bytes, entityTag: tag)
        case .absent(let failure)?:
            // The whole network answers with pages, or the host with one for what it does not have.
            guard failure.code != .captivePortal else { throw failure }
            return .absent
        }
    }

    /// Fetches the manifest that signed metadata name.
    ///
    /// - Throws: `SyncError` `checksumMismatch` for other bytes, and those of the network.
    func manifest(_ manifest: TrustedManifest) async throws -> [UInt8] {
        guard manifest.target.length <= ContentLimits.manifestBytesMax else {
            throw SyncError(ManifestError.tooLarge)
        }
        switch try await wholeFile(manifest.path, bytesMax: manifest.target.length) {
        case .file(let bytes, _):
            do {
                try manifest.target.check(bytes, by: .sha256)
            } catch {
                throw SyncError(error)
            }
            return bytes
        case .absent(let failure): throw failure
        }
    }

    /// Fetches the manifest of the release before a rollout.
    ///
    /// - Throws: `SyncError` `notFound` where it is gone, and those of the network; the bytes are to be verified.
    func manifest(of previous: Rollout.Previous) async throws -> [UInt8] {
        guard let path = ReleasePath.history(release: previous.release)?.text else {
            preconditionFailure("a rollout was read, so that its numbers are positive")
        }
        switch try await wholeFile(path, bytesMax: previous.size) {
        case .file(let bytes, _): return bytes
        case .absent(let failure): throw failure
        }
    }

    /// Fetches a file without a condition.
    private func wholeFile(_ path: String, bytesMax: Int) async throws -> MetadataReply {
        guard let reply = try await smallFile(path, bytesMax: bytesMax, nil) else {
            preconditionFailure("304 is an error without a condition")
        }
        return reply
    }

    /// Fetches a file into memory; `nil` when it has not changed.
    private func smallFile(
        _ path: String, bytesMax: Int, _ entityTag: String?, passesCaches: Bool = true
    ) async throws -> MetadataReply? {
        let url = "\(releaseURL)/\(path)"
        return try await withDeadline(
            settings.downloadDeadline, bytesMin: settings.bytesMinPerDeadline
        ) { arrivals in
            var headers = passesCaches ? ["Cache-Control": "no-cache"] : [:]
            headers["If-None-Match"] = entityTag
            let response = try await send(
                TransportRequest(
                    url: try URL(joined: url), headers: headers,
                    bodyBytesMax: max(bytesMax, Self.pageBytesMax)))
            switch response.status {
            case 200: return try await read(response, url, bytesMax, arrivals)
            case 304 where entityTag != nil: return nil
            case 403, 404, 410: return .absent(failure(response, url))
            default: throw await manifestFailure(response, url)
            }
        }
    }

    /// Reads a whole body; a web page in place of the file counts as absent.
    private func read(
        _ response: TransportResponse, _ url: String, _ bytesMax: Int, _ arrivals: Arrivals
    ) async throws -> MetadataReply {
        var bytes: [UInt8] = []
        for try await piece in response.body {
            arrivals.add(piece.count)
            bytes += piece
            if bytes.count - piece.count < WebPage.examinedBytesMax, WebPage.begins(bytes) {
                return .absent(Self.webPage(at: url))
            }
            guard bytes.count <= bytesMax else {
                throw SyncError(
                    .wrongLength,
                    "\(url) is longer than the \(bytesMax) bytes that are allowed. Publish it again."
                )
            }
        }
        try TransportResponse.checkEnd()
        tally.count(response, decodedBytes: bytes.count)
        return .file(bytes, entityTag: EntityTag.usable(in: response.headers))
    }
}
