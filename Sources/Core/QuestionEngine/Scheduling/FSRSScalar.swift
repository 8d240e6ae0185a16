import Foundation

/// What the formulas of FSRS calculate with: plain numbers to schedule, numbers that know their
/// slope to optimize, so that both use the same formulas.
protocol FSRSScalar: Sendable {
    init(_ value: Double)
    /// The number itself.
    var value: Double { get }
    static func + (left: Self, right: Self) -> Self
    static func - (left: Self, right: Self) -> Self
    static func * (left: Self, right: Self) -> Self
    static func / (left: Self, right: Self) -> Self
    /// *e* raised to this number.
    func exponential() -> Self
    /// The natural logarithm.
    func logarithm() -> Self
}

extension Double: FSRSScalar {
    @inline(__always) var value: Double { self }
    @inline(__always) func exponential() -> Double { exp(self) }
    @inline(__always) func logarithm() -> Double { log(self) }
}

extension FSRSScalar {
    /// This number raised to a power; it must be greater than 0.
    @inline(__always)
    func raised(to power: Self) -> Self { (logarithm() * power).exponential() }

    /// The nearest number that is not outside the bounds.
    @inline(__always)
    func clamped(_ lower: Double, _ upper: Double = .infinity) -> Self {
        value < lower ? Self(lower) : value > upper ? Self(upper) : self
    }
}
