import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI
import WebTransfer

extension Downloader {
    /// A new manifest.
    struct FetchedManifest: Sendable {
        var bytes: [UInt8]
        /// Its validator; `nil` also for a manifest joined from parts, whose validator only joined them.
        var validator: String?
    }

    /// The context of one request for the manifest.
    private struct ManifestTransfer: Sendable {
        let url: String
        /// The file of a partial manifest.
        let file: URL
        let installedTag: String?
        let arrivals: Arrivals
    }

    /// Fetches the manifest, bypassing every cache.
    ///
    /// The next call resumes an interrupted transfer, if the host has strong validators. If those do not change with
    /// the manifest, the parts do not fit, and all of it is requested at once.
    /// - Parameters:
    ///   - validator: The validator of the installed manifest; `nil` for no condition.
    ///   - installedTag: The validator of the installed manifest, even if none is to be sent. A host that assigns it to
    ///     another manifest too has no validator by which parts could be joined.
    ///   - store: The storage of a partial manifest.
    ///   - resumes: False to ignore a partial manifest.
    /// - Returns: `nil` when it has not changed.
    /// - Throws: `SyncError` or `TransportError`.
    func manifest(
        validator: String?, installedTag: String? = nil, store: OfflineStore, resumes: Bool
    ) async throws -> FetchedManifest? {
        let file = ManifestPartial.file(of: releaseURL, in: store)
        let url = "\(releaseURL)/\(ContentRoutes.manifest)"
        return try await withDeadline(
            settings.downloadDeadline, bytesMin: settings.bytesMinPerDeadline
        ) { arrivals in
            let transfer = ManifestTransfer(
                url: url, file: file, installedTag: installedTag, arrivals: arrivals)
            if resumes, let partial = ManifestPartial(file),
                partial.entityTag != installedTag
            {
                let response = try await send(try manifestRequest(url, validator, partial))
                if [200, 304].contains(response.status) {
                    return try await read(response, validator, transfer)
                }
                if isRest(response, after: partial.bytes.count) {
                    if let joined = try await joined(response, partial, transfer) {
                        return partial.isFresh(now: clock())
                            ? joined : try await confirmed(joined, transfer)
                    }
                } else {
                    try refused(response, transfer)
                }
                ManifestPartial.discard(file)
            }
            let response = try await send(try manifestRequest(url, validator, nil))
            return try await read(response, validator, transfer)
        }
    }

    /// Joins the parts of a manifest; `nil` if they are not complete.
    private func joined(
        _ response: TransportResponse, _ partial: ManifestPartial, _ transfer: ManifestTransfer
    ) async throws -> FetchedManifest? {
        guard partial.fits(totalLength(response)) else { return nil }
        let whole = try await manifest(response, after: partial, transfer)
        return isWhole(whole, length: totalLength(response)) ? whole : nil
    }

    /// Requests a complete manifest once more if its parts arrived at different times.
    ///
    /// A host may give the manifests of two releases the same tag, and a mixture of both can be valid. If this request
    /// fails too, the parts are used: each document is verified by its checksum, and the next check is unconditional.
    private func confirmed(
        _ joined: FetchedManifest, _ transfer: ManifestTransfer
    ) async throws -> FetchedManifest? {
        do {
            let response = try await send(try manifestRequest(transfer.url, nil, nil))
            return try await read(response, nil, transfer)
        } catch {
            if SyncError(error).code == .cancelled { throw error }
            return joined
        }
    }

    /// Examines a reply that refuses the remaining bytes: some hosts support no ranges, or not for this file.
    ///
    /// - Throws: `SyncError` of a host that requests a wait, which gets no further request at once.
    private func refused(_ response: TransportResponse, _ transfer: ManifestTransfer) throws {
        let failure = failure(response, transfer.url)
        guard failure.retryAfter != nil else { return }
        ManifestPartial.discard(transfer.file)
        throw failure
    }

    /// Reads a reply that is not the remainder of a partial manifest.
    private func read(
        _ response: TransportResponse, _ validator: String?, _ transfer: ManifestTransfer
    ) async throws -> FetchedManifest? {
        switch response.status {
        case 200: return try await manifest(response, after: nil, transfer)
        case 304 where !Validator.condition(validator, at: ContentRoutes.manifest).isEmpty:
            ManifestPartial.discard(transfer.file)
            return nil
        default: throw await manifestFailure(response, transfer.url)
        }
    }

    /// Returns false for a join that recognizably mixes two manifests.
    private func isWhole(_ manifest: FetchedManifest, length: Int?) -> Bool {
        guard length ?? manifest.bytes.count == manifest.bytes.count else { return false }
        do {
            _ = try ReleaseReader.manifest(manifest.bytes)
            return true
        } catch {
            return false
        }
    }

    private func manifestRequest(
        _ url: String, _ validator: String?, _ partial: ManifestPartial?
    ) throws -> TransportRequest {
        var headers = Validator.condition(validator, at: ContentRoutes.manifest)
        headers["Cache-Control"] = "no-cache"
        if let partial {
            headers["Range"] = "bytes=\(partial.bytes.count)-"
            headers["If-Range"] = partial.entityTag
            // A range of a compressed reply would be a range of other bytes.
            headers["Accept-Encoding"] = "identity"
        }
        return TransportRequest(
            url: try URL(joined: url), headers: headers,
            bodyBytesMax: ContentLimits.manifestBytesMax)
    }

    private func manifest(
        _ response: TransportResponse, after partial: ManifestPartial?, _ transfer: ManifestTransfer
    ) async throws -> FetchedManifest {
        let entityTag = partial?.entityTag ?? EntityTag.usable(in: response.headers)
        let length = partial == nil ? wholeLength(response) : totalLength(response)
        var bytes = partial?.bytes ?? []
        do {
            for try await piece in response.body {
                transfer.arrivals.add(piece.count)
                bytes += piece
                if bytes.count - piece.count < WebPage.examinedBytesMax, WebPage.begins(bytes) {
                    throw Self.webPage(at: transfer.url)
                }
                guard bytes.count <= ContentLimits.manifestBytesMax else {
                    throw TransportError(.tooLong, "")
                }
            }
            try TransportResponse.checkEnd()
        } catch let error as TransportError where error.code == .tooLong {
            ManifestPartial.discard(transfer.file)
            throw SyncError(ManifestError.tooLarge)
        } catch let failure as SyncError {
            ManifestPartial.discard(transfer.file)
            throw failure
        } catch {
            if entityTag != transfer.installedTag {
                ManifestPartial(
                    entityTag: entityTag, length: length,
                    since: partial?.since ?? clock(), bytes: bytes
                )?.save(to: transfer.file)
            }
            throw error
        }
        ManifestPartial.discard(transfer.file)
        tally.count(response, decodedBytes: bytes.count - (partial?.bytes.count ?? 0))
        return FetchedManifest(
            bytes: bytes,
            validator: partial == nil ? Validator.of(response, at: ContentRoutes.manifest) : nil)
    }

    // MARK: Replies without a manifest

    func manifestFailure(_ response: TransportResponse, _ url: String) async -> SyncError {
        // Network Authentication Required (RFC 6585, section 6).
        if response.status == 511 { return Self.webPage(at: url) }
        if [404, 410].contains(response.status) {
            return Self.noRelease(at: url, response.status)
        }
        if response.status == 304 {
            return SyncError(
                .serverError,
                "\(url) answered 304 to a request without a condition. Correct the host."
            )
        }
        if (300..<400).contains(response.status),
            let target = RedirectTarget(response.headers["location"], from: url),
            target.leavesOrigin, await leadsToPage(target)
        {
            return Self.webPage(at: url, redirectedTo: target)
        }
        return failure(response, url)
    }

    /// Returns true when a redirect to another host leads to a web page, of which nothing is used.
    private func leadsToPage(_ target: RedirectTarget) async -> Bool {
        var target = target
        for _ in 0..<Self.pageRedirectsMax {
            guard let url = URL(string: target.url) else { return false }
            let request = TransportRequest(
                url: url, headers: ["Accept-Encoding": "identity"],
                bodyBytesMax: ServiceLimits.unsizedBlobBytesMax)
            // A page that cannot be read is a redirect like any other.
            let response = try? await withDeadline(settings.pageDeadline) {
                let response = try await send(request)
                return (response, try await response.begins(with: WebPage.begins))
            }
            guard let (head, isPage) = response else { return false }
            if WebPage.isType(head.headers["content-type"]) || isPage { return true }
            guard (300..<400).contains(head.status),
                let next = RedirectTarget(head.headers["location"], from: target.url)
            else { return false }
            target = next
        }
        return false
    }

    /// The maximum number of redirects that are examined.
    private static let pageRedirectsMax = 3

    private static func noRelease(at url: String, _ status: Int) -> SyncError {
        let isServers = url.contains(ContentRoutes.prefix)
        return SyncError(
            .notFound,
            "\(url) answered with status \(status). Is that the address of a release"
                + (isServers
                    ? ", and was one published there?"
                    : "? That of an Underway server ends in \(ContentRoutes.prefix)."))
    }

    static func webPage(
        at url: String, redirectedTo target: RedirectTarget? = nil
    ) -> SyncError {
        let reply = target.map { "redirects to \($0), which is" } ?? "answered with"
        return SyncError(
            .captivePortal,
            "This network wants you to sign in first, or the address is not that of a release:"
                + " \(url) \(reply) a web page, not a manifest. Sign in, or correct the address.")
    }
}

/// The distinction between a web page and a manifest.
enum WebPage {
    /// The maximum number of bytes of white space before the first element of a page.
    static let examinedBytesMax = 1024

    /// Returns true for bytes that begin HTML and cannot begin JSON.
    static func begins(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }

    /// Returns true for the media type of HTML.
    static func isType(_ contentType: String?) -> Bool {
        let type = contentType?.lowercased() ?? ""
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    }
}

extension TransportResponse {
    /// Examines the first bytes of a body, and abandons the rest.
    fileprivate func begins(with examine: ([UInt8]) -> Bool) async throws -> Bool {
        for try await piece in body where !piece.isEmpty { return examine(piece) }
        return false
    }
}
