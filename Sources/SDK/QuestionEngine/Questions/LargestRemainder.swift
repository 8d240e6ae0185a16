/// The apportionment of whole numbers by weight.
///
/// ```swift
/// print(LargestRemainder.shares(of: 10, weights: [1, 1, 1]))  // [4, 3, 3]
/// ```
package enum LargestRemainder {
    /// Apportions `total` in proportion to the weights, by the method of Hamilton.
    ///
    /// Each share is its exact quota rounded down or up, and they sum to the total. Of equal
    /// remainders the earlier wins. Weights that are not positive numbers get nothing; without any
    /// weight all shares are 0.
    package static func shares(of total: Int, weights: [Double]) -> [Int] {
        let kept = weights.map { $0.isFinite && $0 > 0 ? $0 : 0 }
        let greatest = kept.max() ?? 0
        guard total > 0, greatest > 0 else { return weights.map { _ in 0 } }
        // A count that a `Double` holds exactly.
        let total = min(total, 1 << 50)
        // Scaled, so that enormous weights do not overflow.
        let scaled = kept.map { $0 / greatest }
        let sum = scaled.reduce(0, +)
        let quotas = scaled.map { Double(total) * $0 / sum }
        var shares = quotas.map { Int($0 + 1e-9) }
        let order = quotas.indices.filter { scaled[$0] > 0 }.sorted { left, right in
            let remainders = (
                quotas[left] - Double(shares[left]), quotas[right] - Double(shares[right])
            )
            return abs(remainders.0 - remainders.1) > 1e-9
                ? remainders.0 > remainders.1 : left < right
        }
        for index in order.prefix(max(0, total - shares.reduce(0, +))) { shares[index] += 1 }
        return shares
    }
}
