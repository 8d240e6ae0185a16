import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI
import Synchronization
import WebTransfer

/// Fetches one thing at a time: bounded in length and time, hashed while it arrives, resumed
/// where it stopped, and never handed on unless its checksum is right.
struct Downloader: Sendable {
    let transport: any Transport
    /// The address of the release, without a slash at its end.
    let baseURL: String
    let settings: SyncSettings
    let tally: TallyBox
    let sources = FileSourcesBox()
    /// The device's time, for a `Retry-After` that is a date.
    let now: @Sendable () -> Date

    /// Fetches a blob by its checksum into a partial file.
    ///
    /// What the address of blobs does not have, or when nobody answers there, is asked for at the
    /// manifest's own.
    /// - Parameters:
    ///   - checksum: Names the blob, and judges it.
    ///   - size: Its length in bytes; without one the bound of `ServiceLimits` holds.
    ///   - readable: The path on hosts that have no objects, tried when the object is missing.
    ///   - contentBaseURL: The address that blobs are under.
    ///   - isLastTry: True to ask the manifest's own address for whatever the other did not deliver. Until
    ///     then only what the other does not have, or does not try again, is asked for there.
    ///   - passesCaches: True to ask the host itself for the object, as after a cache on the way may have
    ///     given other bytes. For a readable name it always is: what is under it changes.
    ///   - store: Where the partial file is.
    ///   - finish: Gets the verified file while it is open.
    /// - Returns: What `finish` returned.
    /// - Throws: `SyncFailure` or `TransportError`, of the address that was asked first; nothing was handed
    ///   on then.
    func blob<Value: Sendable>(
        _ checksum: Checksum, size: Int?, readable: ReleasePath, contentBaseURL: String,
        isLastTry: Bool = true, passesCaches: Bool = false, store: OfflineStore,
        finish: @escaping @Sendable (PartialFile) throws -> Value
    ) async throws -> Value {
        var first: (any Error)?
        let addresses = sources.order(named: contentBaseURL, own: baseURL)
        for address in addresses {
            let replies = Arrivals()
            do {
                let value = try await blob(
                    checksum, size: size, readable: readable, from: address,
                    passesCaches: passesCaches, replies, store: store, finish: finish)
                sources.delivered(address, named: contentBaseURL)
                return value
            } catch {
                let failure = SyncFailure(error)
                if failure.code == .cancelled || failure.code == .storage { throw failure }
                if !failure.isOfAddress(hasReplied: replies.value > 0) {
                    guard isLastTry || !failure.isTransient else { throw first ?? error }
                    // Bytes that the one sent may not be the start of those of the other.
                    if address != addresses.last {
                        PartialFile.remove(store.partialFile(checksum))
                    }
                }
                sources.failed(address, failure.message)
                first = first ?? error
            }
        }
        throw first ?? SyncFailure.cancelled
    }

    private func blob<Value: Sendable>(
        _ checksum: Checksum, size: Int?, readable: ReleasePath, from address: String,
        passesCaches: Bool, _ replies: Arrivals, store: OfflineStore,
        finish: @escaping @Sendable (PartialFile) throws -> Value
    ) async throws -> Value {
        let bound = size ?? ServiceLimits.unsizedBlobBytesMax
        return try await withDeadline(
            settings.downloadDeadline, bytesMin: settings.bytesMinPerDeadline
        ) { arrivals in
            let file = try PartialFile(store.partialFile(checksum))
            // Now and not when the task is gone: the next try may open it before.
            defer { file.letGo() }
            if file.count > bound { try file.restart() }
            if file.count < bound || file.checksum != checksum {
                let way = Way(
                    checksum: checksum, bound: bound, isJSON: readable.text.hasSuffix(".json"),
                    arrivals: arrivals, replies: replies)
                do {
                    let object = "\(address)/\(ContentRoutes.object(checksum))"
                    try await fill(file, from: object, passesCaches: passesCaches, way)
                } catch let failure as SyncFailure where failure.isAbsence {
                    try await fill(
                        file, from: "\(address)/\(readable)", passesCaches: true, way)
                }
            }
            if let size, file.count < size {
                throw SyncFailure(
                    .wrongLength, "\(readable) ended after \(file.count) of \(size) bytes.")
            }
            guard file.checksum == checksum else {
                file.discard()
                throw SyncFailure(
                    .checksumMismatch,
                    "\(readable) does not have the checksum that the manifest promises.")
            }
            return try finish(file)
        }
    }

    /// What is wanted of a download, and who counts what arrives.
    private struct Way {
        let checksum: Checksum
        let bound: Int
        let isJSON: Bool
        let arrivals: Arrivals
        let replies: Arrivals
    }

    private func fill(
        _ file: PartialFile, from url: String, passesCaches: Bool, _ way: Way
    ) async throws {
        let response = try await reply(url, for: file, passesCaches: passesCaches, way)
        switch response.status {
        case 206 where isRest(response, after: file.count): break
        case 200: if file.count > 0 { try file.restart() }
        default: throw failure(response, url)
        }
        let before = file.count
        var page = PageWatch(isJSON: way.isJSON, response)
        do {
            for try await piece in response.body {
                way.arrivals.add(piece.count)
                page.take(piece)
                guard file.count + piece.count <= way.bound else { throw Self.tooLong(url, way) }
                try file.append(piece)
            }
        } catch let error where page.isPage && SyncFailure(error).code == .wrongLength {
            try file.restart()
            throw Self.pageFailure(url)
        } catch let failure as SyncFailure where failure.code == .wrongLength {
            file.discard()
            throw failure
        }
        try TransportResponse.checkEnd()
        tally.count(response, decodedBytes: file.count - before)
        if page.isPage, file.checksum != way.checksum {
            try file.restart()
            throw Self.pageFailure(url)
        }
    }

    /// Asks for the rest of a file and, where the host refuses that, at once for all of it.
    private func reply(
        _ url: String, for file: PartialFile, passesCaches: Bool, _ way: Way
    ) async throws -> TransportResponse {
        // A page that is longer than the file is to be seen as one.
        let request = TransportRequest(
            url: url, headers: passesCaches ? ["Cache-Control": "no-cache"] : [:],
            bodyBytesMax: max(way.bound, Self.pageBytesMax))
        if file.count > 0 {
            var resuming = request
            resuming.headers["Range"] = "bytes=\(file.count)-"
            // A range of a compressed answer would be a range of other bytes.
            resuming.headers["Accept-Encoding"] = "identity"
            let response = try await send(resuming)
            way.replies.add(1)
            if response.status == 200 || isRest(response, after: file.count) { return response }
            let failure = failure(response, url)
            // Who asks to wait is not asked at once again; the next time nothing is resumed.
            guard failure.retryAfter == nil else {
                try file.restart()
                throw failure
            }
        }
        let response = try await send(request)
        way.replies.add(1)
        return response
    }

    /// True for a reply that goes on after so many bytes.
    func isRest(_ response: TransportResponse, after count: Int) -> Bool {
        count > 0 && response.status == 206 && rangeStart(response) == count
    }

    /// The longest page in place of a shorter file that is looked at, in bytes.
    private static let pageBytesMax = 256 << 10

    private static func tooLong(_ url: String, _ way: Way) -> SyncFailure {
        SyncFailure(.wrongLength, "\(url) is longer than \(way.bound) bytes.")
    }

    private static func pageFailure(_ url: String) -> SyncFailure {
        var failure = SyncFailure(
            .captivePortal,
            "\(url) answered with a web page in place of the file: the host does not have it, or this"
                + " network wants you to sign in first.")
        failure.isAbsence = true
        return failure
    }

    /// The length of the whole of which a reply is a part, where the host says it.
    func totalLength(_ response: TransportResponse) -> Int? {
        response.headers["content-range"]?.firstMatch(of: /bytes \d+-\d+\/(\d+)/)
            .flatMap { Int($0.1) }
    }

    /// The length of a whole reply as it is stored, where the host says it.
    func wholeLength(_ response: TransportResponse) -> Int? {
        guard response.headers["content-encoding"] == nil else { return nil }
        return response.headers["content-length"].flatMap { Int($0) }
    }

    func rangeStart(_ response: TransportResponse) -> Int? {
        response.headers["content-range"]?.firstMatch(of: /bytes (\d+)-/).flatMap { Int($0.1) }
    }

    /// Sends a request; failures of the network become failures of the sync.
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        tally.countRequest()
        return try await transport.send(request)
    }

    /// What a status other than that of success means.
    func failure(_ response: TransportResponse, _ url: String) -> SyncFailure {
        let message = "\(url) answered with status \(response.status)."
        switch response.status {
        case 404, 410: return SyncFailure(.notFound, message)
        // A bucket that may not be listed says so of what it does not have.
        case 403:
            var failure = SyncFailure(.serverError, message)
            failure.isAbsence = true
            return failure
        case 300..<400:
            let target = RedirectTarget(response.headers["location"], from: url)
            return SyncFailure(
                .redirected,
                target.map {
                    "\(url) redirects to \($0) (status \(response.status)), which is not followed:"
                        + " use that address if you trust it."
                } ?? message)
        default:
            // No wait, or one that is over, leaves the device's own.
            let wait = RetryAfter.wait(in: response.headers, now: now())
                .flatMap { $0 > .zero ? $0 : nil }
                .map { min($0, .seconds(ServiceLimits.retryAfterSecondsMax)) }
            return SyncFailure(
                .serverError,
                wait.map { "\(message) It asks to wait \(Int($0.seconds)) seconds." } ?? message,
                retryAfter: wait)
        }
    }
}

extension SyncFailure {
    /// What any error of a download means for the sync.
    init(_ error: any Error) {
        switch error {
        case let failure as SyncFailure: self = failure
        case let error as TransportError:
            let code: Code =
                switch error.code {
                case .tooLong: .wrongLength
                case .cancelled: .cancelled
                case .insecureAddress: .insecureAddress
                case .offline, .timedOut: .offline
                }
            self.init(code, error.message)
        case let error as ManifestError:
            if case .unsupportedSchema = error {
                self.init(.unsupportedSchema, error.description)
            } else {
                self.init(.badManifest, error.description)
            }
        case is CancellationError:
            self = .cancelled
        default:
            self.init(.storage, StoreError(ofSystem: error)?.message ?? "\(error)")
        }
    }
}

/// Counts what crosses the network, from several downloads at once.
final class TallyBox: Sendable {
    private let tally = Mutex(SyncTally())

    var value: SyncTally { tally.withLock { $0 } }

    func reset() { tally.withLock { $0 = SyncTally() } }

    func countRequest() { tally.withLock { $0.requests += 1 } }

    /// The length that the server declared is what crossed the network; without one, the bytes
    /// that arrived.
    ///
    /// A server may declare anything: what cannot be is not counted.
    func count(_ response: TransportResponse, decodedBytes: Int) {
        let declared = response.headers["content-length"].flatMap { Int($0) }
        let isPossible = declared.map { (0...Self.declaredBytesMax).contains($0) } ?? false
        let bytes = isPossible ? declared ?? decodedBytes : decodedBytes
        tally.withLock { tally in
            let (sum, isOver) = tally.bodyBytes.addingReportingOverflow(bytes)
            tally.bodyBytes = isOver ? .max : sum
        }
    }

    /// No single reply of a sync is longer.
    private static let declaredBytesMax = 1 << 32

    func countDocument(_ kind: EagerDocument.Kind) {
        tally.withLock { $0.documents[kind, default: 0] += 1 }
    }

    func countFile() { tally.withLock { $0.files += 1 } }
}
