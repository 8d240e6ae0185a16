import NIOCore
import ServiceAPI

/// The time limits of one connection, as a value: of a request's head, its body, the pause between
/// requests, and reading a reply.
///
/// Events and times go in, a verdict comes out.
struct ConnectionDeadlines {
    /// The decision about a connection.
    enum Verdict: Hashable {
        case inTime
        case slowHead, slowBody, idle, slowReader
    }

    private enum Phase {
        /// Between requests; no byte of the next one has arrived.
        case idle(since: NIODeadline)
        case head(since: NIODeadline)
        case body(TransferWindow)
    }

    private let head: TimeAmount
    private let idle: TimeAmount
    private let crowdedIdle: TimeAmount
    private let window: TimeAmount
    private var phase: Phase
    private var isFirst = true
    private var bodyBytes = 0
    private var reply: TransferWindow?
    /// The number of requests without a complete reply.
    private(set) var pendingReplies = 0

    init(_ limits: ConnectionLimits, now: NIODeadline) {
        head = TimeAmount(limits.head)
        idle = TimeAmount(limits.idle)
        crowdedIdle = TimeAmount(limits.crowdedIdle)
        window = TimeAmount(limits.window)
        phase = .idle(since: now)
    }

    mutating func bytesArrived(now: NIODeadline) {
        if case .idle(let since) = phase { phase = .head(since: isFirst ? since : now) }
    }

    mutating func headArrived(now: NIODeadline) {
        isFirst = false
        bodyBytes = 0
        pendingReplies += 1
        phase = .body(TransferWindow(start: now, bytes: 0))
    }

    mutating func bodyArrived(_ count: Int) { bodyBytes += count }

    mutating func requestEnded(now: NIODeadline) { phase = .idle(since: now) }

    mutating func replyEnded(now: NIODeadline) {
        pendingReplies -= 1
        guard pendingReplies == 0 else { return }
        switch phase {
        case .idle: phase = .idle(since: now)
        // While replies were pending, the client may not have been read.
        case .head: phase = .head(since: now)
        case .body: break
        }
    }

    /// Judges a connection.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - sent: The bytes that the client's side has accepted.
    ///   - buffered: The bytes that are buffered for it.
    ///   - isCrowded: True when the server is close to its limit of connections.
    /// - Returns: The reason to close the connection, or that it is within its limits.
    mutating func verdict(
        now: NIODeadline, sent: Int, buffered: Int, isCrowded: Bool = false
    ) -> Verdict {
        if buffered == 0 {
            reply = nil
        } else {
            var current = reply ?? TransferWindow(start: now, bytes: sent)
            if current.isTooSlow(now: now, bytes: sent, length: window) { return .slowReader }
            reply = current
        }
        switch phase {
        case .body(var current):
            if current.isTooSlow(now: now, bytes: bodyBytes, length: window) { return .slowBody }
            phase = .body(current)
        case .head(let since):
            if pendingReplies == 0, now - since >= head { return .slowHead }
        case .idle(let since):
            guard pendingReplies == 0, buffered == 0 else { break }
            if isFirst, now - since >= head { return .slowHead }
            if now - since >= (isCrowded ? min(idle, crowdedIdle) : idle) { return .idle }
        }
        return .inTime
    }
}

/// A period in which a minimum number of bytes must be transferred.
struct TransferWindow {
    private var start: NIODeadline
    private var startBytes: Int

    init(start: NIODeadline, bytes: Int) {
        self.start = start
        startBytes = bytes
    }

    /// Returns true when a whole period passed below the minimum rate; otherwise begins the next
    /// period when one is over.
    mutating func isTooSlow(now: NIODeadline, bytes: Int, length: TimeAmount) -> Bool {
        guard now - start >= length else { return false }
        let milliseconds = Int((now - start).nanoseconds / 1_000_000)
        let isTooSlow =
            bytes - startBytes < ServiceLimits.bytesPerSecondMin * milliseconds / 1000
        self = TransferWindow(start: now, bytes: bytes)
        return isTooSlow
    }
}
