#if os(Linux)
import CTransfer
import Glibc

/// The transfers of one loop, confined to its thread.
struct CurlTransfers {
    let loop: OpaquePointer
    let idleSeconds: Int
    private var running: [ObjectIdentifier: CurlTransfer] = [:]

    init(loop: OpaquePointer, idleSeconds: Int) {
        self.loop = loop
        self.idleSeconds = idleSeconds
    }

    /// Starts a transfer, unless its reader has cancelled.
    mutating func start(_ request: TransferRequest, _ address: WebAddress, _ reply: Reply) {
        guard !reply.hasEnded else { return }
        let transfer = CurlTransfer(reply)
        guard transfer.start(request, address, in: loop, idleSeconds: idleSeconds) else {
            reply.ended(.failure(TransferError(.offline, "There is no memory for a request.")))
            return
        }
        running[reply.id] = transfer
    }

    func resume(_ reply: Reply) { running[reply.id]?.resume() }

    mutating func stop(_ reply: Reply) { running.removeValue(forKey: reply.id)?.release() }

    /// Ends the replies of all transfers that libcurl has completed.
    mutating func endDone() {
        var code: Int32 = 0
        while let done = underway_loop_next_done(loop, &code) {
            guard let (id, transfer) = running.first(where: { $0.value.pointer == done }) else {
                continue
            }
            running[id] = nil
            let detail = String(cString: underway_transfer_detail(done))
            transfer.release()
            transfer.ended(code, detail)
        }
    }

    /// Ends the transfers whose heads have begun but do not end.
    ///
    /// Interim replies and single bytes can keep a connection busy without end, which no limit of its idle time or rate
    /// detects.
    mutating func endOverdue(now: ContinuousClock.Instant) {
        for (id, transfer) in running where transfer.isOverdue(now: now, idleSeconds: idleSeconds) {
            running[id] = nil
            transfer.release()
            transfer.reply.ended(
                .failure(
                    TransferError(
                        .timedOut, "The head of the reply did not end within \(idleSeconds) s.")))
        }
    }

    /// Ends all transfers.
    mutating func endAll() {
        for transfer in running.values {
            transfer.release()
            transfer.reply.ended(.failure(.closed))
        }
        running = [:]
    }
}

/// A transfer of libcurl and the reply that it fills, confined to its loop's thread.
final class CurlTransfer {
    let reply: Reply
    private(set) var pointer: OpaquePointer?
    private var parser = ReplyHeadParser()
    private var failure: TransferError?
    /// The moment at which the first line of the head or of an interim one arrived.
    private var headBegan: ContinuousClock.Instant?
    /// True when the address is one of plain HTTP.
    private var isPlain = false

    init(_ reply: Reply) { self.reply = reply }

    /// Starts the request in libcurl.
    ///
    /// - Returns: False when memory is exhausted.
    func start(
        _ request: TransferRequest, _ address: WebAddress, in loop: OpaquePointer, idleSeconds: Int
    ) -> Bool {
        isPlain = !address.origin.isEncrypted
        let lines = Self.lines(request)
        var pointers = lines.map { UnsafePointer<CChar>(strdup($0)) }
        defer { for line in pointers { free(UnsafeMutablePointer(mutating: line)) } }
        let body = request.body ?? (Self.hasBody(request.method) ? [] : nil)
        pointer = pointers.withUnsafeMutableBufferPointer { headers in
            request.method.withCString { method in
                address.text.withCString { url in
                    // A body without bytes is one too.
                    (body.map { $0.isEmpty ? [0] : $0 } ?? []).withUnsafeBufferPointer { bytes in
                        var wanted = underway_request()
                        wanted.method = method
                        wanted.url = url
                        wanted.headers = UnsafePointer(headers.baseAddress)
                        wanted.header_count = headers.count
                        wanted.body = body == nil ? nil : bytes.baseAddress
                        wanted.body_count = body?.count ?? 0
                        wanted.connect_milliseconds = idleSeconds * 1000
                        wanted.idle_seconds = idleSeconds
                        // The owner of this object frees the transfer before it releases the object.
                        wanted.context = Unmanaged.passUnretained(self).toOpaque()
                        wanted.on_head = { context, bytes, count in
                            CurlTransfer.at(context)?.headArrived(bytes, count) == true ? 1 : 0
                        }
                        wanted.on_body = { context, bytes, count in
                            CurlTransfer.at(context)?.bodyArrived(bytes, count)
                                ?? Int32(underway_body_end)
                        }
                        return underway_transfer_start(loop, &wanted)
                    }
                }
            }
        }
        return pointer != nil
    }

    /// Returns the fields as lines; those without a value suppress libcurl's own.
    private static func lines(_ request: TransferRequest) -> [String] {
        var lines = request.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let names = Set(request.headers.keys.map { $0.lowercased() })
        for name in ["Accept", "Expect", "Content-Type"] where !names.contains(name.lowercased()) {
            lines.append("\(name):")
        }
        return lines
    }

    private static func hasBody(_ method: String) -> Bool {
        ["POST", "PUT", "PATCH"].contains(method)
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    func resume() { if let pointer { underway_transfer_resume(pointer) } }

    /// Returns true when the head began more than `idleSeconds` ago and is not complete.
    func isOverdue(now: ContinuousClock.Instant, idleSeconds: Int) -> Bool {
        guard let headBegan, parser.head == nil else { return false }
        return now - headBegan > .seconds(idleSeconds)
    }

    func release() {
        if let pointer { underway_transfer_free(pointer) }
        pointer = nil
    }

    /// Ends the reply with libcurl's result.
    func ended(_ code: Int32, _ detail: String) {
        if let failure {
            reply.ended(.failure(failure))
        } else if code == 0 {
            reply.ended(.success(()))
        } else if underway_is_tls(code) != 0, !detail.isEmpty {
            reply.ended(.failure(TransferError(.offline, TLSDiagnosis(detail).message)))
        } else {
            let reason = String(cString: underway_reason(code))
            let hint = isPlain && headBegan == nil && underway_is_not_http(code) != 0
            reply.ended(
                .failure(
                    TransferError(
                        underway_is_timeout(code) != 0 ? .timedOut : .offline,
                        "The network failed: \(reason)." + (hint ? PlainHTTP.hint : ""))))
        }
    }

    // MARK: Callbacks of libcurl

    private func headArrived(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Bool {
        if headBegan == nil { headBegan = .now }
        do {
            let line = UnsafeBufferPointer(start: bytes, count: count)
            if let head = try parser.parse([UInt8](line)) { reply.headArrived(head) }
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func bodyArrived(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        let piece = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
        return switch reply.bodyArrived(piece) {
        case .accepted: Int32(underway_body_taken)
        case .full: Int32(underway_body_pause)
        case .refused: Int32(underway_body_end)
        }
    }
}
#endif
