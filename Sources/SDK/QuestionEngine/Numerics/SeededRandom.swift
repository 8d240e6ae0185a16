/// A random generator that is determined by its seed, with equal numbers on every platform, so that a session can be
/// replayed.
///
/// SplitMix64 (Steele, Lea and Flood, 2014). It is not suitable for secrets.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// print(Int.random(in: 1...6, using: &random))
/// ```
public struct SeededRandom: RandomNumberGenerator, Sendable, Hashable, Codable {
    private var state: UInt64

    /// Creates the generator of a seed.
    public init(seed: UInt64) { state = seed }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
