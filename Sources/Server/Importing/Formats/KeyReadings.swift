/// The reading of a file's keys, decided for all of its questions at once.
///
/// A key `B` may be the letter of an option and the text of another, and a 1 the first or the second option. One
/// reading beats another if it fits a key of the file that the other does not fit, and the reverse never happens.
struct KeyReadings {
    /// The options that a key names in each reading that fits, in the order of the key.
    typealias Fit = [KeyReading: [Int]]

    /// The decision about one key.
    enum Decision: Equatable {
        case options([Int])
        /// No reading fits.
        case unknown
        /// The one key that fits a reading which all others contradict.
        case stray
        /// Readings fit that name different options, and no other question decides.
        case open([KeyReading])
    }

    /// The readings that each beats.
    private let beaten: [KeyReading: Set<KeyReading>]
    private let chosen: KeyReading?
    /// The readings that a single key of a long file contradicts.
    private let strays: Set<KeyReading>
    /// The numbers of keys that only count from 0 and only from 1, where a file has both.
    let contradictingCounts: (fromZero: Int, fromOne: Int)?

    /// The questions on each side of a single contradiction that make it a mistake of its own.
    private static let strayDistance = 8

    /// Decides for a file.
    ///
    /// - Parameters:
    ///   - fits: The keys of the file, in order. O(keys).
    ///   - chosen: The reading that the user named.
    init(_ fits: [Fit], chosen: KeyReading? = nil) {
        var beaten: [KeyReading: Set<KeyReading>] = [:]
        var strays: Set<KeyReading> = []
        var counts: (fromZero: Int, fromOne: Int)?
        let masks = fits.map(Self.mask)
        for winner in KeyReading.allCases {
            for other in KeyReading.allCases where other != winner {
                let own = Self.places(of: winner, without: other, in: masks)
                let others = Self.places(of: other, without: winner, in: masks)
                guard !own.isEmpty else { continue }
                if others.isEmpty {
                    beaten[winner, default: []].insert(other)
                } else if others.count == 1,
                    own.count(where: { $0 < others[0] }) >= Self.strayDistance,
                    own.count(where: { $0 > others[0] }) >= Self.strayDistance
                {
                    beaten[winner, default: []].insert(other)
                    strays.insert(other)
                } else if winner == .fromZero, other == .fromOne {
                    counts = (own.count, others.count)
                }
            }
        }
        // A single key is a mistake in one direction only.
        if strays.contains(.fromZero) || strays.contains(.fromOne) { counts = nil }
        self.beaten = beaten
        self.strays = strays
        self.chosen = chosen
        contradictingCounts = chosen?.isCount == true ? nil : counts
    }

    private static func bit(_ reading: KeyReading) -> UInt16 {
        1 << UInt16(KeyReading.allCases.firstIndex(of: reading) ?? 15)
    }

    private static func mask(_ fit: Fit) -> UInt16 {
        fit.keys.reduce(0) { $0 | bit($1) }
    }

    private static func places(
        of reading: KeyReading, without other: KeyReading, in masks: [UInt16]
    ) -> [Int] {
        let (wanted, unwanted) = (bit(reading), bit(other))
        return masks.indices.filter { masks[$0] & wanted != 0 && masks[$0] & unwanted == 0 }
    }

    /// Decides for one key of the file.
    ///
    /// A reading that the user named decides alone. Where it counts numbers, other keys are still read by the file.
    func decide(_ fit: Fit, isNumber: Bool = false) -> Decision {
        if let chosen, !chosen.isCount || isNumber {
            return fit[chosen].map { .options($0) } ?? .unknown
        }
        guard let first = fit.values.first else { return .unknown }
        if fit.keys.allSatisfy(strays.contains) { return .stray }
        if fit.values.allSatisfy({ Set($0) == Set(first) }) { return .options(first) }
        let left = fit.filter { reading, options in
            !fit.contains {
                beaten[$0.key]?.contains(reading) == true && Set($0.value) != Set(options)
            }
        }
        guard let one = left.values.first, left.values.allSatisfy({ Set($0) == Set(one) }) else {
            return .open(KeyReading.allCases.filter { left[$0] != nil })
        }
        return .options(one)
    }
}
