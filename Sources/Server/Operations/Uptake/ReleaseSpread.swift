import Tables

/// The spread of a release to the devices in use.
package struct ReleaseSpread: Sendable, Hashable {
    /// The release.
    package var release: Int
    /// The time since which it is served, in milliseconds since 1970.
    package var servedAt: Int64
    /// The times at which 50, 95 and 99 % of the devices had it or a later one; `nil` before that.
    package var reachedAt: [Int64?] = [nil, nil, nil]

    /// The shares of ``reachedAt``.
    package static let shares = [0.5, 0.95, 0.99]

    package init(release: Int, servedAt: Int64) {
        self.release = release
        self.servedAt = servedAt
    }

    /// Records a count of devices; a share that was once reached stays reached.
    ///
    /// - Parameters:
    ///   - uptake: The counts.
    ///   - now: The time of the counts, in milliseconds since 1970.
    package mutating func note(_ uptake: Uptake, at now: Int64) {
        let all = uptake.devices
        guard all > 0 else { return }
        let there = uptake.counts.filter { $0.release ?? -1 >= release }
            .reduce(0) { $0 + $1.devices }
        for (index, share) in Self.shares.enumerated()
        where reachedAt[index] == nil && Double(there) >= share * Double(all) {
            reachedAt[index] = now
        }
    }
}

extension ReleaseSpread {
    init(row: TableRow) throws {
        self.init(release: try row.value("release"), servedAt: try row.value("served_at"))
        reachedAt = try ["half", "most", "nearly_all"].map { try row.value($0) }
    }
}
