import ContentModel
import Foundation
import OfflineStore
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
    /// The device's time, for a `Retry-After` that is a date.
    let now: @Sendable () -> Date

    /// Fetches a blob by its checksum into a partial file.
    ///
    /// - Parameters:
    ///   - checksum: Names the blob, and judges it.
    ///   - size: Its length in bytes; without one the bound of `ServiceLimits` holds.
    ///   - readable: The path on hosts that have no objects, tried when the object is missing.
    ///   - contentBaseURL: The address that blobs are under.
    ///   - passesCaches: True to ask the host itself for the object, as after a cache on the way may have
    ///     given other bytes. For a readable name it always is: what is under it changes.
    ///   - store: Where the partial file is.
    ///   - finish: Gets the verified file while it is open.
    /// - Returns: What `finish` returned.
    /// - Throws: `SyncFailure` or `TransportError`; nothing was handed on then.
    func blob<Value: Sendable>(
        _ checksum: Checksum, size: Int?, readable: String, contentBaseURL: String,
        passesCaches: Bool = false, store: OfflineStore,
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
                let object = "\(contentBaseURL)/\(ContentRoutes.object(checksum))"
                do {
                    try await fill(
                        file, from: object, bound: bound, passesCaches: passesCaches, arrivals)
                } catch let failure as SyncFailure where failure.isAbsence {
                    try await fill(
                        file, from: "\(contentBaseURL)/\(readable)", bound: bound,
                        passesCaches: true, arrivals)
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

    private func fill(
        _ file: PartialFile, from url: String, bound: Int, passesCaches: Bool,
        _ arrivals: Arrivals
    ) async throws {
        var headers: [String: String] = [:]
        if passesCaches { headers["Cache-Control"] = "no-cache" }
        if file.count > 0 {
            // A range of a compressed answer would be a range of other bytes.
            headers["Range"] = "bytes=\(file.count)-"
            headers["Accept-Encoding"] = "identity"
        }
        let request = TransportRequest(url: url, headers: headers, bodyBytesMax: bound)
        let response = try await send(request)
        switch response.status {
        case 206 where rangeStart(response) == file.count && file.count > 0: break
        case 200: if file.count > 0 { try file.restart() }
        case 206, 416:
            try file.restart()
            throw SyncFailure(.wrongLength, "\(url) could not be resumed.")
        default: throw failure(response, url)
        }
        let before = file.count
        for try await piece in response.body {
            arrivals.add(piece.count)
            guard file.count + piece.count <= bound else {
                file.discard()
                throw SyncFailure(.wrongLength, "\(url) is longer than \(bound) bytes.")
            }
            try file.append(piece)
        }
        try TransportResponse.checkEnd()
        tally.count(response, decodedBytes: file.count - before)
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
            let wait = RetryAfter.wait(in: response.headers, now: now())
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
