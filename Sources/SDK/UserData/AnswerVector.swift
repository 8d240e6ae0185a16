/// A run of consecutive answers of one device, by their sequence numbers.
package struct AnswerSpan: Sendable, Hashable, Codable {
    /// The device on which the answers were given.
    package var client: ClientID
    /// The sequence number of the first answer, from 1.
    package var first: UInt64
    /// The number of answers; at least one.
    package var count: Int

    /// Creates a run.
    package init(client: ClientID, first: UInt64, count: Int) {
        self.client = client
        self.first = first
        self.count = count
    }

    /// The sequence number of the last answer.
    package var last: UInt64 { first + UInt64(count) - 1 }
}

/// A version vector: the number of known answers of each device (Parker and others, 1983).
///
/// A device numbers its answers from 1 without gaps and never changes one. One number per device therefore describes
/// all known answers: the difference of two sides is a run of numbers, and adding a run twice has no further effect.
package struct AnswerVector: Sendable, Hashable, Codable {
    /// The last known answer of each device; no entry for a device without answers.
    package private(set) var lasts: [ClientID: UInt64]

    /// Creates a vector from the last known answer of each device; entries of 0 are dropped.
    package init(_ lasts: [ClientID: UInt64] = [:]) {
        self.lasts = lasts.filter { $0.value > 0 }
    }

    /// The sequence number of a device's last known answer; 0 for none.
    package subscript(client: ClientID) -> UInt64 { lasts[client] ?? 0 }

    /// The number of known answers of all devices.
    package var total: UInt64 { lasts.values.reduce(0, +) }

    /// Adds a run.
    ///
    /// - Parameter span: A run; it may overlap the known answers.
    /// - Returns: The new part; `nil` when there is none, or when the run begins after a gap.
    @discardableResult
    package mutating func add(_ span: AnswerSpan) -> AnswerSpan? {
        let known = self[span.client]
        guard span.count > 0, span.first >= 1, span.first <= known + 1, span.last > known else {
            return nil
        }
        lasts[span.client] = span.last
        return AnswerSpan(
            client: span.client, first: known + 1, count: Int(span.last - known))
    }

    /// Removes the answers of a device above a sequence number.
    ///
    /// - Parameters:
    ///   - last: The sequence number of the last answer that remains known; 0 for none.
    ///   - client: The device.
    mutating func truncate(to last: UInt64, of client: ClientID) {
        lasts[client] = last > 0 ? min(last, self[client]) : nil
        if lasts[client] == 0 { lasts[client] = nil }
    }

    /// Returns the runs in this vector that another lacks, ordered by device.
    ///
    /// - Parameters:
    ///   - other: The answers known to the other side.
    ///   - limit: The maximum number of answers in all runs.
    /// - Returns: At most one run per device.
    package func beyond(_ other: AnswerVector, limit: Int = .max) -> [AnswerSpan] {
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
