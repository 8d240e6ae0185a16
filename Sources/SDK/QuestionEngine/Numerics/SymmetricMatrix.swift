import Foundation

/// A symmetric matrix of numbers, small enough to be solved in place.
struct SymmetricMatrix {
    let size: Int
    private var values: [Double]

    init(size: Int) {
        self.size = size
        values = Array(repeating: 0, count: size * size)
    }

    /// Accesses the element of a row and column; setting preserves the symmetry.
    subscript(row: Int, column: Int) -> Double {
        get { values[row * size + column] }
        set {
            values[row * size + column] = newValue
            values[column * size + row] = newValue
        }
    }

    /// Returns the lower triangular factor of Cholesky's decomposition; `nil` unless positive
    /// definite.
    private func choleskyFactor() -> [Double]? {
        var factor = Array(repeating: 0.0, count: size * size)
        for row in 0..<size {
            for column in 0...row {
                var sum = self[row, column]
                for k in 0..<column { sum -= factor[row * size + k] * factor[column * size + k] }
                if row == column {
                    guard sum > 0, sum.isFinite else { return nil }
                    factor[row * size + row] = sum.squareRoot()
                } else {
                    factor[row * size + column] = sum / factor[column * size + column]
                }
            }
        }
        return factor
    }

    /// Solves the linear system with this matrix and the right-hand side; `nil` unless positive
    /// definite.
    func solve(_ right: [Double]) -> [Double]? {
        choleskyFactor().map { substitute(right, $0) }
    }

    /// Returns the inverse; `nil` unless positive definite.
    func inverse() -> SymmetricMatrix? {
        guard let factor = choleskyFactor() else { return nil }
        var result = SymmetricMatrix(size: size)
        var unit = Array(repeating: 0.0, count: size)
        for column in 0..<size {
            unit[column] = 1
            let solved = substitute(unit, factor)
            for row in column..<size { result[row, column] = solved[row] }
            unit[column] = 0
        }
        return result
    }

    private func substitute(_ right: [Double], _ factor: [Double]) -> [Double] {
        var result = right
        for row in 0..<size {
            for k in 0..<row { result[row] -= factor[row * size + k] * result[k] }
            result[row] /= factor[row * size + row]
        }
        for row in (0..<size).reversed() {
            for k in stride(from: row + 1, to: size, by: 1) {
                result[row] -= factor[k * size + row] * result[k]
            }
            result[row] /= factor[row * size + row]
        }
        return result
    }
}
