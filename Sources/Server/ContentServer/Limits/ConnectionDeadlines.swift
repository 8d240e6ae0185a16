import NIOCore
import ServiceAPI

/// Decides when a connection has taken too long.
///
/// It bounds the time of a head, of a body, until the next request, and in which a reply is read.
/// Times come in, a verdict comes out.
struct ConnectionDeadlines {
    /// Why a connection ends.
    enum Verdict: Hashable {
        case inTime
        case slowHead, slowBody, idle, slowReader
    }

    private enum Phase {
        /// Nothing of the next request is here.
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
    /// Requests whose replies are not written yet.
    private(set) var repliesOwed = 0

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
        repliesOwed += 1
        phase = .body(TransferWindow(start: now, bytes: 0))
    }

    mutating func bodyArrived(_ count: Int) { bodyBytes += count }

    mutating func requestEnded(now: NIODeadline) { phase = .idle(since: now) }

    mutating func replyEnded(now: NIODeadline) {
        repliesOwed -= 1
        guard repliesOwed == 0 else { return }
        switch phase {
        case .idle: phase = .idle(since: now)
        // While replies were owed the client may not have been read.
        case .head: phase = .head(since: now)
        case .body: break
        }
    }

    /// Looks at a connection.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - sent: How many bytes the client's side has taken.
    ///   - buffered: How many bytes wait for it.
    ///   - isCrowded: True when few more connections fit.
    /// - Returns: Why the connection ends, or that it is in time.
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
            if repliesOwed == 0, now - since >= head { return .slowHead }
        case .idle(let since):
            guard repliesOwed == 0, buffered == 0 else { break }
            if isFirst, now - since >= head { return .slowHead }
            if now - since >= (isCrowded ? min(idle, crowdedIdle) : idle) { return .idle }
        }
        return .inTime
    }
}

/// A stretch of time in which so many bytes must have passed.
struct TransferWindow {
    private var start: NIODeadline
    private var startBytes: Int

    init(start: NIODeadline, bytes: Int) {
        self.start = start
        startBytes = bytes
    }

    /// True when a whole window passed with less than the least rate; else the next one begins.
    mutating func isTooSlow(now: NIODeadline, bytes: Int, length: TimeAmount) -> Bool {
        guard now - start >= length else { return false }
        let milliseconds = Int((now - start).nanoseconds / 1_000_000)
        let isTooSlow =
            bytes - startBytes < ServiceLimits.bytesPerSecondMin * milliseconds / 1000
        self = TransferWindow(start: now, bytes: bytes)
        return isTooSlow
    }
}
