/// The reading of a file's textual keys, decided for all of its questions at once.
///
/// A key `B` may be the letter of an option and the text of another. One reading wins over another if it fits a
/// question of the file that the other does not fit, and the reverse never happens.
struct KeyReadings {
    /// A way to read a key.
    enum Reading: String, CaseIterable {
        case letters, texts, names
    }

    /// The options that a key names in each reading that fits, in the order of the key.
    typealias Fit = [Reading: [Int]]

    /// The decision about one key.
    enum Decision: Equatable {
        case options([Int])
        /// No reading fits.
        case unknown
        /// The one key that fits a reading which all others contradict.
        case stray
        /// Readings fit that name different options, and no other question decides.
        case open
    }

    /// The readings that each beats.
    private let beaten: [Reading: Set<Reading>]
    private let chosen: Reading?
    /// The readings that a single key of a long file contradicts.
    private let strays: Set<Reading>

    /// The readings of a file without a key that is a text.
    static let none = KeyReadings([])

    /// The questions on each side of a single contradiction that make it a mistake of its own.
    private static let strayDistance = 8

    /// Decides for a file.
    ///
    /// - Parameters:
    ///   - fits: The keys of the file, in order.
    ///   - chosen: The reading that the user named.
    init(_ fits: [Fit], chosen: Reading? = nil) {
        var beaten: [Reading: Set<Reading>] = [:]
        var strays: Set<Reading> = []
        for winner in Reading.allCases {
            for other in Reading.allCases where other != winner {
                let own = fits.indices.filter {
                    fits[$0][winner] != nil && fits[$0][other] == nil
                }
                let others = fits.indices.filter {
                    fits[$0][other] != nil && fits[$0][winner] == nil
                }
                guard !own.isEmpty else { continue }
                if others.isEmpty {
                    beaten[winner, default: []].insert(other)
                } else if others.count == 1,
                    own.count(where: { $0 < others[0] }) >= Self.strayDistance,
                    own.count(where: { $0 > others[0] }) >= Self.strayDistance
                {
                    beaten[winner, default: []].insert(other)
                    strays.insert(other)
                }
            }
        }
        self.beaten = beaten
        self.strays = strays
        self.chosen = chosen
    }

    /// Decides for one key of the file.
    func decide(_ fit: Fit) -> Decision {
        if let chosen { return fit[chosen].map { .options($0) } ?? .unknown }
        guard let first = fit.values.first else { return .unknown }
        if fit.count < Reading.allCases.count, fit.keys.allSatisfy(strays.contains) {
            return .stray
        }
        if fit.values.allSatisfy({ Set($0) == Set(first) }) { return .options(first) }
        let left = fit.filter { reading, options in
            !fit.contains {
                beaten[$0.key]?.contains(reading) == true && Set($0.value) != Set(options)
            }
        }
        guard let one = left.values.first, left.values.allSatisfy({ Set($0) == Set(one) }) else {
            return .open
        }
        return .options(one)
    }
}
