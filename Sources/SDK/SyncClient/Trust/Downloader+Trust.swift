import ContentModel
import Foundation
import ServiceAPI
import WebTransfer

extension Downloader {
    /// A reply to a request for metadata.
    enum MetadataReply: Sendable {
        case file([UInt8], validator: String?)
        /// The file does not exist on the host, or the host does not disclose it.
        case absent(SyncError)
    }

    /// Fetches a file of metadata, bypassing every cache, up to the maximum length of the request.
    ///
    /// - Parameters:
    ///   - request: The file.
    ///   - validator: The validator of the stored file; `nil` for no condition.
    ///   - stored: The stored file, returned for an unchanged one. If it has expired, the request is repeated without
    ///     the condition: some hosts give a new file the validator of the old one.
    ///   - now: The time of the update.
    /// - Returns: The file, also if it is the stored one, or that the host does not have it.
    /// - Throws: `SyncError` or `TransportError`.
    func metadata(
        _ request: MetadataRequest, validator: String? = nil,
        unless stored: TrustedMetadata.File? = nil, now: Date
    ) async throws -> MetadataReply {
        let path = "metadata/\(request.path)"
        let condition = stored == nil ? nil : validator
        var reply = try await smallFile(path, bytesMax: request.bytesMax, condition)
        if case .unchanged = reply {
            if let stored, stored.expires > now {
                return .file(stored.bytes, validator: validator)
            }
            reply = try await smallFile(path, bytesMax: request.bytesMax, nil)
        }
        // A start page in place of a missing file says of the next root that there is none.
        if case .refused(let response) = reply, request.role == TrustRole.root.rawValue,
            response.saysNoFile
        {
            return .absent(failure(response, "\(releaseURL)/\(path)"))
        }
        return try await metadataReply(reply, path)
    }

    private func metadataReply(_ reply: FileReply, _ path: String) async throws -> MetadataReply {
        let url = "\(releaseURL)/\(path)"
        switch reply {
        case .file(let bytes, let tag): return .file(bytes, validator: tag)
        case .page(let failure): return .absent(failure)
        case .refused(let response) where [403, 404, 410].contains(response.status):
            return .absent(failure(response, url))
        case .refused(let response): throw await manifestFailure(response, url)
        case .unchanged: preconditionFailure("304 is an error without a condition")
        }
    }

    /// A reply to a request for a changeset.
    enum ChangesetReply: Sendable {
        case unchanged
        case file([UInt8], validator: String?)
        /// No changeset arrived. `problem`: the reason; `nil` if the host replied that it has none.
        case none(ChangesetPause, problem: String?)
    }

    /// Fetches the changeset from a release.
    ///
    /// A failure proves nothing about the network; the fallback detects its state.
    /// - Parameters:
    ///   - release: The number of the installed release.
    ///   - validator: The validator of the last one; `nil` for no condition.
    ///   - passesCaches: True to bypass caches.
    /// - Returns: Unverified bytes with the start of a changeset, or the pause of further requests.
    /// - Throws: `SyncError` `cancelled` alone.
    func changeset(
        from release: Int, validator: String?, passesCaches: Bool
    ) async throws -> ChangesetReply {
        guard let path = ReleasePath.changes(from: release)?.text else {
            return .none(.ofRelease, problem: nil)
        }
        let reply: FileReply
        do {
            reply = try await smallFile(
                path, bytesMax: ChangesetLimits.bytesMax, validator, passesCaches: passesCaches)
        } catch {
            let failure = SyncError(error)
            guard failure.code != .cancelled else { throw failure }
            return .none(
                failure.code == .wrongLength ? .ofRelease : .untilNextPoll,
                problem: failure.message)
        }
        switch reply {
        case .unchanged: return .unchanged
        case .file(let bytes, let tag) where bytes.starts(with: Changeset.mark):
            return .file(bytes, validator: tag)
        case .file: return .none(.ofRelease, problem: ChangesetError.isNone.description)
        case .page(let failure): return .none(.ofRelease, problem: failure.message)
        case .refused(let response):
            let failure = failure(response, "\(releaseURL)/\(path)")
            let isSaid = [403, 404, 410].contains(response.status)
            return .none(
                ChangesetPause(status: response.status, retryAfter: failure.retryAfter),
                problem: isSaid ? nil : failure.message)
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
    /// - Throws: `SyncError` `notFound` if it no longer exists, and those of the network; the caller verifies the
    ///   bytes.
    func manifest(of previous: Rollout.Previous) async throws -> [UInt8] {
        guard let path = ReleasePath.history(release: previous.release)?.text else {
            preconditionFailure("a rollout was read, so that its numbers are positive")
        }
        switch try await wholeFile(path, bytesMax: previous.size) {
        case .file(let bytes, _): return bytes
        case .absent(let failure): throw failure
        }
    }

    /// Fetches a file unconditionally.
    private func wholeFile(_ path: String, bytesMax: Int) async throws -> MetadataReply {
        try await metadataReply(smallFile(path, bytesMax: bytesMax, nil), path)
    }

    /// A reply to a request for a small file.
    private enum FileReply: Sendable {
        /// The host's file matches the condition.
        case unchanged
        case file([UInt8], validator: String?)
        /// A web page in place of the file, with status 200.
        case page(SyncError)
        case refused(TransportResponse)
    }

    /// Fetches a file into memory.
    private func smallFile(
        _ path: String, bytesMax: Int, _ validator: String?, passesCaches: Bool = true
    ) async throws -> FileReply {
        let url = "\(releaseURL)/\(path)"
        return try await withDeadline(
            settings.downloadDeadline, bytesMin: settings.bytesMinPerDeadline
        ) { arrivals in
            let condition = Validator.condition(validator, at: path)
            var headers = condition
            if passesCaches { headers["Cache-Control"] = "no-cache" }
            let response = try await send(
                TransportRequest(
                    url: try URL(joined: url), headers: headers,
                    bodyBytesMax: max(bytesMax, Self.pageBytesMax)))
            switch response.status {
            case 200: return try await read(response, path, bytesMax, arrivals)
            case 304 where !condition.isEmpty: return .unchanged
            default: return .refused(response)
            }
        }
    }

    /// Reads a complete body, or the start of a web page in place of the file.
    private func read(
        _ response: TransportResponse, _ path: String, _ bytesMax: Int, _ arrivals: Arrivals
    ) async throws -> FileReply {
        let url = "\(releaseURL)/\(path)"
        var bytes: [UInt8] = []
        for try await piece in response.body {
            arrivals.add(piece.count)
            bytes += piece
            if bytes.count - piece.count < WebPage.examinedBytesMax, WebPage.begins(bytes) {
                return .page(Self.webPage(at: url))
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
        return .file(bytes, validator: Validator.of(response, at: path))
    }
}

extension TransportResponse {
    /// True for a status that may mean a missing file: a rejection or a redirect, but no request to wait.
    fileprivate var saysNoFile: Bool {
        (300..<500).contains(status) && ![304, 408, 429].contains(status)
    }
}
