import Foundation
import QuestionEngine

/// The engine's generator under a name that no test has to import the engine for.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var random: SeededRandom

    public init(seed: UInt64) { random = SeededRandom(seed: seed) }

    public mutating func next() -> UInt64 { random.next() }
}

extension RandomNumberGenerator {
    /// A standard normal number (Box and Muller, 1958).
    public mutating func nextNormal() -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
        return radius * cos(2 * Double.pi * Double.random(in: 0..<1, using: &self))
    }
}
