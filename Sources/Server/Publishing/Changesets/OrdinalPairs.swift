/// The pairs of replaced and new checksums of two manifests, derived from their order only.
///
/// A wrong pair only costs bytes; a new checksum that is mistaken for one of the base is fetched separately.
struct OrdinalPairs {
    /// The new checksums that the base does not have: their ordinals, each with that of its predecessor, if any.
    private(set) var changed: [(new: Int, base: Int?)] = []

    /// - Parameters:
    ///   - base: The keys of the base's checksums in their order.
    ///   - new: Those of the new manifest.
    ///   - areUnique: True when no new key is there twice (``areUnique(_:)``), which makes it faster.
    init(base: [UInt64], new: [UInt64], areUnique: Bool = false) {
        guard areUnique, base.count == new.count else {
            self.init(all: base, new: new)
            return
        }
        // A new key that stands in the same place of the base can be none of the others. The first of such a run stays, by
        // which those before it are told from those behind.
        let others = new.indices.filter { index in
            base[index] != new[index] || index > 0 && base[index - 1] != new[index - 1]
        }
        self.init(all: others.map { base[$0] }, new: others.map { new[$0] })
        changed = changed.map { (others[$0.new], $0.base.map { others[$0] }) }
    }

    /// Returns true when no key is there twice.
    static func areUnique(_ keys: [UInt64]) -> Bool {
        let places = KeyPlaces(keys)
        return keys.indices.allSatisfy { places[keys[$0]] == $0 }
    }

    private init(all base: [UInt64], new: [UInt64]) {
        let places = KeyPlaces(base)
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

/// The first place of each key among keys: a table for one comparison of two manifests, of which a publish makes 32.
private struct KeyPlaces {
    private let keys: [UInt64]
    /// For each hash the place that is tried first, the next free one for the next key; -1 where there is none.
    private var slots: [Int32]
    private let shift: UInt64

    init(_ keys: [UInt64]) {
        self.keys = keys
        // At most half full.
        let bits = UInt64.bitWidth - (2 * keys.count).leadingZeroBitCount
        slots = [Int32](repeating: -1, count: 1 << bits)
        shift = UInt64(UInt64.bitWidth - bits)
        for (place, key) in keys.enumerated() {
            let slot = slot(of: key)
            if slots[slot] < 0 { slots[slot] = Int32(place) }
        }
    }

    /// Returns the first place of a key; `nil` for one that is not there.
    subscript(key: UInt64) -> Int? {
        let place = slots[slot(of: key)]
        return place < 0 ? nil : Int(place)
    }

    /// Returns the slot in which a key is, or belongs.
    private func slot(of key: UInt64) -> Int {
        var slot = Int((key &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while slots[slot] >= 0, keys[Int(slots[slot])] != key { slot = (slot + 1) % slots.count }
        return slot
    }
}
