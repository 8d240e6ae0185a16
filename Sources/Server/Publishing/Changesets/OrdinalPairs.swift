import ServiceAPI

/// Which checksum of a base manifest gave way to which of a new one, judged by their order alone.
///
/// A wrong pair costs bytes, and nothing else; a new checksum that is taken for one of the base is fetched by itself.
struct OrdinalPairs {
    /// The new checksums that the base does not have: their ordinals, each with that of its predecessor, if any.
    private(set) var changed: [(new: Int, base: Int?)] = []

    /// - Parameters:
    ///   - base: The keys of the base's checksums in their order.
    ///   - new: Those of the new manifest.
    init(base: [UInt64], new: [UInt64]) {
        var places: [UInt64: Int] = [:]
        places.reserveCapacity(base.count)
        for (index, key) in base.enumerated() where places[key] == nil { places[key] = index }
        var anchor = (base: 0, new: 0)
        func close(_ end: (base: Int, new: Int), _ changed: inout [(new: Int, base: Int?)]) {
            var predecessor = anchor.base
            for index in anchor.new..<end.new where places[new[index]] == nil {
                changed.append((index, predecessor < end.base ? predecessor : nil))
                predecessor += 1
            }
        }
        for (index, key) in new.enumerated() {
            guard let place = places[key], place >= anchor.base else { continue }
            close((place, index), &changed)
            anchor = (place + 1, index + 1)
        }
        close((base.count, new.count), &changed)
    }
}
