import ServiceAPI

/// Which checksum of a base manifest gave way to which of a new one, judged by their order alone.
///
/// A wrong pair costs bytes, and nothing else.
struct OrdinalPairs {
    /// The new checksums that the base does not have: their ordinals, each with that of its predecessor, if any.
    private(set) var changed: [(new: Int, base: Int?)] = []

    /// - Parameters:
    ///   - base: The digits of the base's checksums in their order.
    ///   - new: Those of the new manifest.
    init(base: [ArraySlice<UInt8>], new: [ArraySlice<UInt8>]) {
        var places: [ArraySlice<UInt8>: Int] = [:]
        for (index, digits) in base.enumerated() where places[digits] == nil {
            places[digits] = index
        }
        var anchor = (base: 0, new: 0)
        func close(_ end: (base: Int, new: Int), _ changed: inout [(new: Int, base: Int?)]) {
            var predecessor = anchor.base
            for index in anchor.new..<end.new where places[new[index]] == nil {
                changed.append((index, predecessor < end.base ? predecessor : nil))
                predecessor += 1
            }
        }
        var seen: Set<ArraySlice<UInt8>> = []
        for (index, digits) in new.enumerated() {
            guard let place = places[digits], place >= anchor.base, seen.insert(digits).inserted
            else { continue }
            close((place, index), &changed)
            anchor = (place + 1, index + 1)
        }
        close((base.count, new.count), &changed)
    }
}
