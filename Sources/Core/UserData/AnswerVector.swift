/// A run of answers of one device, by their numbers.
public struct AnswerSpan: Sendable, Hashable, Codable {
    /// The device that they were given on.
    public var client: ClientID
    /// The number of the first.
    public var first: UInt64
    /// How many there are; at least one.
    public var count: Int

    /// Names a run.
    public init(client: ClientID, first: UInt64, count: Int) {
        self.client = client
        self.first = first
        self.count = count
    }

    /// The number of the last.
    public var last: UInt64 { first + UInt64(count) - 1 }
}

/// How many answers of each device are known.
///
/// A device numbers its answers from 1 without gaps and never changes one, so a number a device
/// says everything: what one side lacks is a run of numbers, and taking a run twice changes nothing
/// (a version vector; Parker and others, 1983).
public struct AnswerVector: Sendable, Hashable, Codable {
    /// The number of the last answer of each device; none for what is not known at all.
    public private(set) var lasts: [ClientID: UInt64]

    /// Knows these.
    public init(_ lasts: [ClientID: UInt64] = [:]) {
        self.lasts = lasts.filter { $0.value > 0 }
    }

    /// The number of the last answer of a device; 0 for none.
    public subscript(client: ClientID) -> UInt64 { lasts[client] ?? 0 }

    /// How many answers are known.
    public var total: UInt64 { lasts.values.reduce(0, +) }

    /// Takes a run in.
    ///
    /// - Parameter span: A run; it may overlap what is known.
    /// - Returns: The part that is new; `nil` when there is none, or a gap before it.
    @discardableResult
    public mutating func take(_ span: AnswerSpan) -> AnswerSpan? {
        let known = self[span.client]
        guard span.count > 0, span.first >= 1, span.first <= known + 1, span.last > known else {
            return nil
        }
        lasts[span.client] = span.last
        return AnswerSpan(
            client: span.client, first: known + 1, count: Int(span.last - known))
    }

    /// Forgets the answers of a device behind a number.
    ///
    /// - Parameters:
    ///   - last: The number of the last answer that stays known; 0 for none.
    ///   - client: The device.
    mutating func truncate(to last: UInt64, of client: ClientID) {
        lasts[client] = last > 0 ? min(last, self[client]) : nil
        if lasts[client] == 0 { lasts[client] = nil }
    }

    /// The runs that this knows and another does not, devices in order.
    ///
    /// - Parameters:
    ///   - other: What the other side knows.
    ///   - limit: The most answers in all.
    /// - Returns: At most one run a device.
    public func beyond(_ other: AnswerVector, limit: Int = .max) -> [AnswerSpan] {
        var spans: [AnswerSpan] = []
        var left = limit
        for (client, last) in lasts.sorted(by: { $0.key < $1.key }) {
            let known = other[client]
            guard left > 0, last > known else { continue }
            let count = Int(min(last - known, UInt64(left)))
            spans.append(AnswerSpan(client: client, first: known + 1, count: count))
            left -= count
        }
        return spans
    }
}
