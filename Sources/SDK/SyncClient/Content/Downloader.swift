import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI
import Synchronization
import WebTransfer

/// The downloads of one sync: bounded in length and time, hashed on arrival, resumed after an interruption, and passed
/// on only with the right checksum.
struct Downloader: Sendable {
    let transport: any Transport
    /// The address of the release, without a slash at its end.
    let releaseURL: String
    let settings: SyncSettings
    let tally: TrafficCounter
    let sources = SharedFileSources()
    let meter = ProgressMeter()
    /// The device's time, for a `Retry-After` that is a date.
    let clock: @Sendable () -> Date

    /// Fetches a blob by its checksum into a partial file.
    ///
    /// If the address of blobs lacks a blob, or does not reply about it, the manifest's own address is used.
    /// - Parameters:
    ///   - checksum: The blob's name, with which its bytes are compared.
    ///   - size: Its length in bytes; without one the bound of `ServiceLimits` applies.
    ///   - readable: The path on hosts without objects, tried when the object is missing.
    ///   - contentBaseURL: The address of blobs.
    ///   - isLastTry: True to use the manifest's own address after any failure of the other, not only after a permanent
    ///     one.
    ///   - passesCaches: True to bypass caches for the object, as when a cache may have sent other bytes. Readable
    ///     names, whose bytes change, always bypass caches.
    ///   - purpose: The purpose, by which the transport chooses networks.
    ///   - store: The store of the partial file.
    ///   - finish: Receives the verified file while it is open.
    /// - Returns: The result of `finish`.
    /// - Throws: `SyncError` or `TransportError`, of the first address; nothing was passed on then.
    func blob<Value: Sendable>(
        _ checksum: Checksum, size: Int?, readable: ReleasePath, contentBaseURL: String,
        isLastTry: Bool = true, passesCaches: Bool = false,
        purpose: TransferPurpose = .content, store: OfflineStore,
        finish: @escaping @Sendable (PartialFile) throws -> Value
    ) async throws -> Value {
        var first: (any Error)?
        let addresses = sources.order(named: contentBaseURL, own: releaseURL)
        for address in addresses {
            let replies = Arrivals()
            do {
                let value = try await blob(
                    checksum, size: size, readable: readable, from: address,
                    passesCaches: passesCaches, purpose: purpose, replies, store: store,
                    finish: finish)
                sources.delivered(address, named: contentBaseURL)
                return value
            } catch {
                let failure = SyncError(error)
                if failure.code == .cancelled || failure.code == .storage { throw failure }
                if !failure.isOfAddress(hasReplied: replies.value > 0) {
                    guard isLastTry || !failure.isTransient else { throw first ?? error }
                    // Bytes that the one sent may not be the start of those of the other.
                    if address != addresses.last {
                        PartialFile.remove(store.partialFile(checksum))
                    }
                }
                sources.failed(address, failure)
                first = first ?? error
            }
        }
        throw first ?? SyncError.cancelled
    }

    private func blob<Value: Sendable>(
        _ checksum: Checksum, size: Int?, readable: ReleasePath, from address: String,
        passesCaches: Bool, purpose: TransferPurpose, _ replies: Arrivals, store: OfflineStore,
        finish: @escaping @Sendable (PartialFile) throws -> Value
    ) async throws -> Value {
        let counted = Arrivals()
        do {
            let (value, count) = try await blob(
                checksum, size: size, readable: readable, from: address,
                passesCaches: passesCaches, purpose: purpose, replies, counted, store: store,
                finish: finish)
            meter.ended(counted: counted.value, verified: count)
            return value
        } catch {
            meter.ended(counted: counted.value, verified: 0)
            throw error
        }
    }

    private func blob<Value: Sendable>(
        _ checksum: Checksum, size: Int?, readable: ReleasePath, from address: String,
        passesCaches: Bool, purpose: TransferPurpose, _ replies: Arrivals, _ counted: Arrivals,
        store: OfflineStore, finish: @escaping @Sendable (PartialFile) throws -> Value
    ) async throws -> (Value, count: Int) {
        let bound = size ?? ServiceLimits.unsizedBlobBytesMax
        return try await withDeadline(
            settings.downloadDeadline, bytesMin: settings.bytesMinPerDeadline
        ) { arrivals in
            let file = try PartialFile(store.partialFile(checksum))
            // Not later than here: the next try may open it at once.
            defer { file.close() }
            if file.count > bound { try file.restart() }
            if file.count < bound || file.checksum != checksum {
                let transfer = Transfer(
                    checksum: checksum, bound: bound, readable: readable, purpose: purpose,
                    arrivals: arrivals, replies: replies, counted: counted)
                let hasResumed = try await fill(
                    file, from: address, passesCaches: passesCaches, transfer)
                // The start may be of another host, or of what this one had before: that must not cost
                // a try, since there may be none left.
                if hasResumed, file.count >= size ?? 0, file.checksum != checksum {
                    try file.restart()
                    _ = try await fill(file, from: address, passesCaches: true, transfer)
                }
            }
            if let size, file.count < size {
                throw SyncError(
                    .wrongLength,
                    "\(readable) ended after \(file.count) of \(size) bytes. Sync again.")
            }
            guard file.checksum == checksum else {
                file.discard()
                throw SyncError(
                    .checksumMismatch,
                    "\(readable) does not have the checksum that the manifest promises. Sync again, or"
                        + " publish it again."
                )
            }
            return (try finish(file), file.count)
        }
    }

    /// The bounds of a download, and its counters.
    private struct Transfer {
        let checksum: Checksum
        let bound: Int
        let readable: ReleasePath
        let purpose: TransferPurpose
        let arrivals: Arrivals
        let replies: Arrivals
        let counted: Arrivals

        var isJSON: Bool { readable.text.hasSuffix(".json") }
    }

    /// Fills a file with the object of an address or, if it has none, with its readable name.
    ///
    /// - Returns: True when the existing bytes of the file were continued.
    private func fill(
        _ file: PartialFile, from address: String, passesCaches: Bool, _ transfer: Transfer
    ) async throws -> Bool {
        do {
            let object = "\(address)/\(ContentRoutes.object(transfer.checksum))"
            return try await fill(file, fromURL: object, passesCaches: passesCaches, transfer)
        } catch let failure as SyncError where failure.isAbsence {
            return try await fill(
                file, fromURL: "\(address)/\(transfer.readable)", passesCaches: true, transfer)
        }
    }

    private func fill(
        _ file: PartialFile, fromURL url: String, passesCaches: Bool, _ transfer: Transfer
    ) async throws -> Bool {
        let response = try await reply(url, for: file, passesCaches: passesCaches, transfer)
        switch response.status {
        case 206 where isRest(response, after: file.count): break
        case 200: if file.count > 0 { try file.restart() }
        default: throw failure(response, url)
        }
        let before = file.count
        var page = PageWatch(isJSON: transfer.isJSON, response)
        do {
            for try await piece in response.body {
                transfer.arrivals.add(piece.count)
                transfer.counted.add(piece.count)
                meter.arrived(bytes: piece.count)
                page.append(piece)
                guard file.count + piece.count <= transfer.bound else {
                    throw Self.tooLong(url, transfer)
                }
                try file.append(piece)
            }
        } catch let error where page.isPage && SyncError(error).code == .wrongLength {
            try file.restart()
            throw Self.pageFailure(url)
        } catch let failure as SyncError where failure.code == .wrongLength {
            file.discard()
            throw failure
        }
        try TransportResponse.checkEnd()
        tally.count(response, decodedBytes: file.count - before)
        if page.isPage, file.checksum != transfer.checksum {
            try file.restart()
            throw Self.pageFailure(url)
        }
        return before > 0
    }

    /// Requests the remainder of a file and, if the host refuses that, at once all of it.
    private func reply(
        _ url: String, for file: PartialFile, passesCaches: Bool, _ transfer: Transfer
    ) async throws -> TransportResponse {
        // A page that is longer than the file must be recognized as one.
        let request = TransportRequest(
            url: try URL(joined: url),
            headers: passesCaches ? ["Cache-Control": "no-cache"] : [:],
            bodyBytesMax: max(transfer.bound, Self.pageBytesMax), purpose: transfer.purpose)
        if file.count > 0 {
            var resuming = request
            resuming.headers["Range"] = "bytes=\(file.count)-"
            // A range of a compressed reply would be a range of other bytes.
            resuming.headers["Accept-Encoding"] = "identity"
            let response = try await send(resuming)
            transfer.replies.add(1)
            if response.status == 200 || isRest(response, after: file.count) { return response }
            let failure = failure(response, url)
            // A host that asks to wait is not asked again at once; the next try resumes nothing.
            guard failure.retryAfter == nil else {
                try file.restart()
                throw failure
            }
        }
        let response = try await send(request)
        transfer.replies.add(1)
        return response
    }

    /// Returns true for a reply that continues after `count` bytes.
    func isRest(_ response: TransportResponse, after count: Int) -> Bool {
        count > 0 && response.status == 206 && rangeStart(response) == count
    }

    /// The maximum length of a page that is examined in place of a shorter file, in bytes.
    static let pageBytesMax = 256 << 10

    private static func tooLong(_ url: String, _ transfer: Transfer) -> SyncError {
        SyncError(.wrongLength, "\(url) is longer than \(transfer.bound) bytes. Publish it again.")
    }

    private static func pageFailure(_ url: String) -> SyncError {
        var failure = SyncError(
            .captivePortal,
            "\(url) answered with a web page in place of the file: the host does not have it, or this"
                + " network wants you to sign in first.")
        failure.isAbsence = true
        return failure
    }

    /// Returns the complete length for a partial reply, if the host states it.
    func totalLength(_ response: TransportResponse) -> Int? {
        response.headers["content-range"]?.firstMatch(of: /bytes \d+-\d+\/(\d+)/)
            .flatMap { Int($0.1) }
    }

    /// Returns the length of a complete reply as stored, if the host states it.
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
        meter.requested()
        return try await transport.send(request)
    }

    /// Converts a status other than that of success.
    func failure(_ response: TransportResponse, _ url: String) -> SyncError {
        let message = "\(url) answered with status \(response.status)."
        switch response.status {
        case 404, 410:
            return SyncError(.notFound, "\(message) Is the address right, and the release whole?")
        // nginx and Go answer so when plain HTTP reaches their TLS port.
        case 400 where url.hasPrefix("http://"):
            return SyncError(.serverError, message + PlainHTTP.hint)
        // A bucket that may not be listed says so of what it does not have.
        case 403:
            var failure = SyncError(
                .serverError, "\(message) Is the address right, and may everybody read it?")
            failure.isAbsence = true
            return failure
        case 300..<400:
            let target = RedirectTarget(response.headers["location"], from: url)
            return SyncError(
                .redirected,
                target.map {
                    "\(url) redirects to \($0) (status \(response.status)), which is not followed:"
                        + " use that address if you trust it."
                } ?? "\(message) Correct the address.")
        default:
            // No wait, or one that is over, leaves the device's own.
            let wait = RetryAfter.wait(in: response.headers, now: clock())
                .flatMap { $0 > .zero ? $0 : nil }
                .map { min($0, .seconds(ServiceLimits.retryAfterSecondsMax)) }
            return SyncError(
                .serverError,
                wait.map { "\(message) It asks to wait \(Int($0.seconds)) seconds." }
                    ?? "\(message) Try again later.",
                retryAfter: wait)
        }
    }
}

extension SyncError {
    /// Converts any error of a download.
    init(_ error: any Error) {
        switch error {
        case let failure as SyncError: self = failure
        case let error as TransportError:
            let code: Code =
                switch error.code {
                case .tooLong: .wrongLength
                case .cancelled: .cancelled
                case .insecureAddress: .insecureAddress
                case .badAddress: .badAddress
                case .networkNotAllowed: .networkNotAllowed
                default: .offline
                }
            self.init(code, error.message, cause: error)
        case let error as ManifestError:
            self.init(
                error.code == .unsupportedSchema ? .unsupportedSchema : .badManifest, error.message,
                cause: error)
        case is CancellationError:
            self = .cancelled
        default:
            self.init(
                .storage, StoreError(ofSystem: error)?.message ?? "\(error)", cause: error)
        }
    }
}

/// The traffic of a run, counted by several downloads at once.
final class TrafficCounter: Sendable {
    private let tally = Mutex(SyncTally())

    var value: SyncTally { tally.withLock { $0 } }

    func reset() { tally.withLock { $0 = SyncTally() } }

    func countRequest() { tally.withLock { $0.requests += 1 } }

    /// Counts a body by its declared length, which is that on the network, or by the bytes that arrived.
    ///
    /// An impossible declaration is ignored.
    func count(_ response: TransportResponse, decodedBytes: Int) {
        let declared = response.headers["content-length"].flatMap { Int($0) }
        let isPossible = declared.map { (0...Self.declaredBytesMax).contains($0) } ?? false
        let bytes = isPossible ? declared ?? decodedBytes : decodedBytes
        tally.withLock { tally in
            let (sum, isOver) = tally.bodyBytes.addingReportingOverflow(bytes)
            tally.bodyBytes = isOver ? .max : sum
        }
    }

    /// The maximum length of a reply of a sync.
    private static let declaredBytesMax = 1 << 32

    func countDocument(_ kind: EagerDocument.Kind) {
        tally.withLock { $0.documents[kind, default: 0] += 1 }
    }

    func countFile() { tally.withLock { $0.files += 1 } }
}
