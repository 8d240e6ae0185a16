package import Review

extension ReleaseSpread {
    /// Notes a count of devices; a share that was reached stays reached.
    ///
    /// - Parameters:
    ///   - uptake: The counts.
    ///   - now: Their time, in milliseconds since 1970.
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
