import NIOCore

/// The commands in flight of a connection, in the order of sending.
///
/// It makes every decision without a clock or a channel: it admits a command or not, matches a reply to the oldest one,
/// reports an overdue waiter whose slot stays, and closes a silent connection.
struct RedisPipeline<Waiter> {
    private struct Slot {
        /// The one who waits; `nil` once they were told.
        var waiter: Waiter?
        var bytes: Int
        var deadline: NIODeadline
    }

    private let limits: RedisLimits
    private var slots: [Slot] = []
    /// The index of the oldest slot.
    private var first = 0
    private var bytes = 0
    private var lastReply: NIODeadline

    init(_ limits: RedisLimits, now: NIODeadline) {
        self.limits = limits
        lastReply = now
    }

    /// The number of commands that wait.
    var count: Int { slots.count - first }

    /// Admits a command; false when too many wait, or too many bytes.
    mutating func admit(_ waiter: Waiter, bytes size: Int, now: NIODeadline) -> Bool {
        guard count < limits.inFlightMax, bytes + size <= limits.inFlightBytesMax else {
            return false
        }
        if count == 0 { lastReply = now }
        bytes += size
        slots.append(
            Slot(waiter: waiter, bytes: size, deadline: now + TimeAmount(limits.timeout)))
        return true
    }

    /// Handles the arrival of a reply.
    ///
    /// - Returns: The waiter of the oldest command; `nil` if it was reported as overdue.
    /// - Throws: `RedisError` `protocolViolation` for a reply without a command.
    mutating func replyArrived(now: NIODeadline) throws(RedisError) -> Waiter? {
        guard count > 0 else {
            throw RedisError(.protocolViolation, "A reply came to no command.")
        }
        lastReply = now
        let slot = slots[first]
        slots[first].waiter = nil
        first += 1
        bytes -= slot.bytes
        // The places of replies are dropped now and then, so that this takes O(1) each.
        if first > 1_024, first * 2 > slots.count {
            slots.removeFirst(first)
            first = 0
        }
        return slot.waiter
    }

    /// Handles the passing of time.
    ///
    /// - Returns: The overdue waiters, and whether the connection must be closed for its silence.
    mutating func timePassed(now: NIODeadline) -> (overdue: [Waiter], isSilent: Bool) {
        var overdue: [Waiter] = []
        for index in slots.indices[first...] {
            guard slots[index].deadline <= now else { break }
            if let waiter = slots[index].waiter {
                overdue.append(waiter)
                slots[index].waiter = nil
            }
        }
        let isSilent = count > 0 && now - lastReply >= TimeAmount(limits.silenceMax)
        return (overdue, isSilent)
    }

    /// Handles the loss of the connection.
    ///
    /// - Returns: All waiters.
    mutating func connectionLost() -> [Waiter] {
        let waiters = slots[first...].compactMap(\.waiter)
        slots = []
        (first, bytes) = (0, 0)
        return waiters
    }
}
