import Foundation

/// A number in the formulas of FSRS: plain to schedule, with derivatives to optimize, so that both
/// use the same formulas.
protocol FSRSScalar: Sendable {
    init(_ value: Double)
    /// The number itself.
    var value: Double { get }
    static func + (left: Self, right: Self) -> Self
    static func - (left: Self, right: Self) -> Self
    static func * (left: Self, right: Self) -> Self
    static func / (left: Self, right: Self) -> Self
    /// Returns *e* raised to this number.
    func exponential() -> Self
    /// Returns the natural logarithm.
    func logarithm() -> Self
}

extension Double: FSRSScalar {
    @inline(__always) var value: Double { self }
    @inline(__always) func exponential() -> Double { exp(self) }
    @inline(__always) func logarithm() -> Double { log(self) }
}

extension FSRSScalar {
    /// Returns this number raised to a power; it must be greater than 0.
    @inline(__always)
    func raised(to power: Self) -> Self { (logarithm() * power).exponential() }

    /// Returns the nearest number within the bounds.
    @inline(__always)
    func clamped(_ lower: Double, _ upper: Double = .infinity) -> Self {
        value < lower ? Self(lower) : value > upper ? Self(upper) : self
    }
}
