import Foundation

/// A number with its derivative by each of the 21 parameters (forward-mode differentiation).
struct DualNumber: FSRSScalar {
    /// The derivatives: room for 24 in three vectors; the last three are always 0.
    struct Slopes {
        var a: SIMD8<Double> = .zero
        var b: SIMD8<Double> = .zero
        var c: SIMD8<Double> = .zero

        @inline(__always)
        func scaled(_ factor: Double) -> Slopes {
            Slopes(a: a * factor, b: b * factor, c: c * factor)
        }

        @inline(__always)
        func adding(_ other: Slopes, times factor: Double) -> Slopes {
            Slopes(a: a + other.a * factor, b: b + other.b * factor, c: c + other.c * factor)
        }

        subscript(index: Int) -> Double {
            index < 8 ? a[index] : index < 16 ? b[index - 8] : c[index - 16]
        }
    }

    var value: Double
    var slopes: Slopes

    init(_ value: Double) {
        self.init(value, Slopes())
    }

    private init(_ value: Double, _ slopes: Slopes) {
        self.value = value
        self.slopes = slopes
    }

    /// Returns the parameter of that index, whose derivative by its own value is 1.
    static func parameter(_ index: Int, _ value: Double) -> DualNumber {
        var slopes = Slopes()
        if index < 8 {
            slopes.a[index] = 1
        } else if index < 16 {
            slopes.b[index - 8] = 1
        } else {
            slopes.c[index - 16] = 1
        }
        return DualNumber(value, slopes)
    }

    static func + (left: DualNumber, right: DualNumber) -> DualNumber {
        DualNumber(left.value + right.value, left.slopes.adding(right.slopes, times: 1))
    }

    static func - (left: DualNumber, right: DualNumber) -> DualNumber {
        DualNumber(left.value - right.value, left.slopes.adding(right.slopes, times: -1))
    }

    static func * (left: DualNumber, right: DualNumber) -> DualNumber {
        DualNumber(
            left.value * right.value,
            left.slopes.scaled(right.value).adding(right.slopes, times: left.value))
    }

    static func / (left: DualNumber, right: DualNumber) -> DualNumber {
        let quotient = left.value / right.value
        return DualNumber(
            quotient,
            left.slopes.scaled(1 / right.value).adding(
                right.slopes, times: -quotient / right.value))
    }

    func exponential() -> DualNumber {
        let result = exp(value)
        return DualNumber(result, slopes.scaled(result))
    }

    func logarithm() -> DualNumber {
        DualNumber(log(value), slopes.scaled(1 / value))
    }
}
