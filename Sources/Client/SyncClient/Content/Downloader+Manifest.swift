import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI
import WebTransfer

extension Downloader {
    /// A manifest that is new.
    struct FetchedManifest: Sendable {
        var bytes: [UInt8]
        /// Its validator; `nil` also for one that came in parts, since only its validator says that they
        /// belong together.
        var entityTag: String?
    }

    /// What each reply to one question for the manifest is read with.
    private struct ManifestWay: Sendable {
        let url: String
        /// Where the start of a manifest is kept.
        let file: URL
        let installedTag: String?
        let arrivals: Arrivals
    }

    /// Asks for the manifest past every cache.
    ///
    /// A transfer that breaks is gone on with at the next call, where the host has strong validators. Where
    /// those do not change with the manifest, the parts do not fit: then all of it is asked for at once.
    /// - Parameters:
    ///   - entityTag: The validator of what is installed; `nil` to ask without any condition.
    ///   - installedTag: The validator of what is installed, also where none is to be sent. A host that gives
    ///     it to another manifest too has none that parts could be joined by.
    ///   - store: Where the start of a manifest is kept.
    ///   - resumes: False to begin anew even where a start is kept.
    /// - Returns: `nil` when it did not change.
    /// - Throws: `SyncFailure` or `TransportError`.
    func manifest(
        entityTag: String?, installedTag: String? = nil, store: OfflineStore, resumes: Bool
    ) async throws -> FetchedManifest? {
        let file = ManifestPartial.file(of: baseURL, in: store)
        let url = "\(baseURL)/\(ContentRoutes.manifest)"
        return try await withDeadline(
            settings.downloadDeadline, bytesMin: settings.bytesMinPerDeadline
        ) { arrivals in
            let way = ManifestWay(
                url: url, file: file, installedTag: installedTag, arrivals: arrivals)
            if resumes, let partial = ManifestPartial(file),
                partial.entityTag != installedTag
            {
                let response = try await send(manifestRequest(url, entityTag, partial))
                if [200, 304].contains(response.status) {
                    return try await answer(response, entityTag, way)
                }
                if isRest(response, after: partial.bytes.count) {
                    if let joined = try await joined(response, partial, way) {
                        return partial.isFresh(now: now())
                            ? joined : try await confirmed(joined, way)
                    }
                } else {
                    try refused(response, way)
                }
                ManifestPartial.discard(file)
            }
            let response = try await send(manifestRequest(url, entityTag, nil))
            return try await answer(response, entityTag, way)
        }
    }

    /// Puts a manifest together; `nil` where the parts do not make a whole.
    private func joined(
        _ response: TransportResponse, _ partial: ManifestPartial, _ way: ManifestWay
    ) async throws -> FetchedManifest? {
        guard partial.fits(totalLength(response)) else { return nil }
        let whole = try await manifest(response, after: partial, way)
        return isWhole(whole, length: totalLength(response)) ? whole : nil
    }

    /// Asks for all of a manifest once more that came in parts at different times.
    ///
    /// A host may give the manifests of two releases the same tag, and a mixture of both can be read. Where
    /// not even this request brings all of it, the parts are the best that there is: each document is
    /// compared with its checksum, and the next check asks without a condition.
    private func confirmed(
        _ joined: FetchedManifest, _ way: ManifestWay
    ) async throws -> FetchedManifest? {
        do {
            let response = try await send(manifestRequest(way.url, nil, nil))
            return try await answer(response, nil, way)
        } catch {
            if SyncFailure(error).code == .cancelled { throw error }
            return joined
        }
    }

    /// Looks at a reply that refuses the rest: some hosts know no ranges, or not of this file.
    ///
    /// - Throws: `SyncFailure` of a host that asks to wait, which is not asked at once again.
    private func refused(_ response: TransportResponse, _ way: ManifestWay) throws {
        let failure = failure(response, way.url)
        guard failure.retryAfter != nil else { return }
        ManifestPartial.discard(way.file)
        throw failure
    }

    /// Reads a reply that is not the rest of what was kept.
    private func answer(
        _ response: TransportResponse, _ entityTag: String?, _ way: ManifestWay
    ) async throws -> FetchedManifest? {
        switch response.status {
        case 200: return try await manifest(response, after: nil, way)
        case 304 where entityTag != nil:
            ManifestPartial.discard(way.file)
            return nil
        default: throw await manifestFailure(response, way.url)
        }
    }

    /// False for what was put together of two manifests and shows it.
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
        _ url: String, _ entityTag: String?, _ partial: ManifestPartial?
    ) -> TransportRequest {
        var headers = ["Cache-Control": "no-cache"]
        headers["If-None-Match"] = entityTag
        if let partial {
            headers["Range"] = "bytes=\(partial.bytes.count)-"
            headers["If-Range"] = partial.entityTag
            // A range of a compressed answer would be a range of other bytes.
            headers["Accept-Encoding"] = "identity"
        }
        return TransportRequest(
            url: url, headers: headers, bodyBytesMax: ContentLimits.manifestBytesMax)
    }

    private func manifest(
        _ response: TransportResponse, after partial: ManifestPartial?, _ way: ManifestWay
    ) async throws -> FetchedManifest {
        let entityTag = partial?.entityTag ?? EntityTag.usable(in: response.headers)
        let length = partial == nil ? wholeLength(response) : totalLength(response)
        var bytes = partial?.bytes ?? []
        do {
            for try await piece in response.body {
                way.arrivals.add(piece.count)
                bytes += piece
                if bytes.count - piece.count < WebPage.bytesToJudge, WebPage.begins(bytes) {
                    throw Self.webPage(at: way.url)
                }
                guard bytes.count <= ContentLimits.manifestBytesMax else {
                    throw TransportError(.tooLong, "")
                }
            }
            try TransportResponse.checkEnd()
        } catch let error as TransportError where error.code == .tooLong {
            ManifestPartial.discard(way.file)
            throw SyncFailure(.badManifest, "\(ManifestError.tooLarge)")
        } catch let failure as SyncFailure {
            ManifestPartial.discard(way.file)
            throw failure
        } catch {
            if entityTag != way.installedTag {
                ManifestPartial(
                    entityTag: entityTag, length: length,
                    since: partial == nil ? now() : partial?.since, bytes: bytes
                )?.save(to: way.file)
            }
            throw error
        }
        ManifestPartial.discard(way.file)
        tally.count(response, decodedBytes: bytes.count - (partial?.bytes.count ?? 0))
        return FetchedManifest(bytes: bytes, entityTag: partial == nil ? entityTag : nil)
    }

    // MARK: What comes in place of a manifest

    private func manifestFailure(_ response: TransportResponse, _ url: String) async -> SyncFailure
    {
        // Network Authentication Required (RFC 6585, section 6).
        if response.status == 511 { return Self.webPage(at: url) }
        if response.status == 304 {
            return SyncFailure(
                .serverError, "\(url) answered 304 to a request without a condition.")
        }
        if (300..<400).contains(response.status),
            let target = RedirectTarget(response.headers["location"], from: url),
            target.leavesOrigin, await leadsToPage(target)
        {
            return Self.webPage(at: url, redirectedTo: target)
        }
        return failure(response, url)
    }

    /// Looks at what a redirect to another host leads to; nothing of it is used.
    private func leadsToPage(_ target: RedirectTarget) async -> Bool {
        var target = target
        for _ in 0..<Self.pageRedirectsMax {
            let request = TransportRequest(
                url: target.url, headers: ["Accept-Encoding": "identity"],
                bodyBytesMax: ServiceLimits.unsizedBlobBytesMax)
            // A page that cannot be looked at is a redirect like any other.
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

    /// The most redirects that are looked at.
    private static let pageRedirectsMax = 3

    private static func webPage(
        at url: String, redirectedTo target: RedirectTarget? = nil
    ) -> SyncFailure {
        let way = target.map { "redirects to \($0), which is" } ?? "answered with"
        return SyncFailure(
            .captivePortal,
            "This network wants you to sign in first, or the address is not that of a release:"
                + " \(url) \(way) a web page, not a manifest.")
    }
}

/// How a web page is told from a manifest.
enum WebPage {
    /// White space before the first element of a page may be so long.
    static let bytesToJudge = 1024

    /// True when bytes cannot be the start of JSON but of HTML.
    static func begins(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }

    /// True for the type of HTML.
    static func isType(_ contentType: String?) -> Bool {
        let type = contentType?.lowercased() ?? ""
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    }
}

extension TransportResponse {
    /// Judges the first bytes of a body, and leaves the rest.
    fileprivate func begins(with judge: ([UInt8]) -> Bool) async throws -> Bool {
        for try await piece in body where !piece.isEmpty { return judge(piece) }
        return false
    }
}
