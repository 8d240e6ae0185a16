import Foundation

/// The answers to one question, as the detector sees them.
struct KeyEvidence {
    /// A response as a candidate for the key.
    struct Option {
        /// The index among the responses of the question.
        let response: Int
        /// The fraction of respondents who gave it.
        let share: Double
        /// The logarithm of the odds of that fraction, with half an answer added to each side.
        let logOdds: Double
        /// The correlation of giving it with ability.
        let ability: Double
        /// The correlation of giving it with the part of squared ability that a straight line leaves.
        let curvature: Double
    }

    /// The number of people who answered at first sight.
    let respondentCount: Int
    /// The candidates.
    let options: [Option]
    /// The index of the published key among the candidates.
    let key: Int

    /// Reads the answers to a question.
    ///
    /// - Parameters:
    ///   - index: The question.
    ///   - table: The answers.
    ///   - proxy: The abilities.
    ///   - givenMin: The number of people below which a response other than the key is no candidate.
    init(_ index: Int, _ table: ResponseMatrix, _ proxy: AbilityProxy, givenMin: Int = 0) {
        let rows = table.rows(of: index)
        let item = table.items[index]
        let ability = StandardAbility(proxy.abilities(without: index, in: table))
        var sums = Array(
            repeating: (count: 0, ability: 0.0, square: 0.0), count: item.responses.count)
        for (place, row) in rows.enumerated() {
            let response = Int(table.responses[row])
            sums[response].count += 1
            sums[response].ability += ability.values[place]
            sums[response].square += ability.squares[place]
        }
        let total = Double(rows.count)
        let given = sums.indices.filter { $0 == item.key || sums[$0].count >= givenMin }
        respondentCount = rows.count
        options = given.map { response in
            let (count, sum, square) = sums[response]
            let share = total > 0 ? Double(count) / total : 0
            let deviation = (share * (1 - share)).squareRoot()
            let scale = total * deviation
            return Option(
                response: response, share: share,
                logOdds: log((Double(count) + 0.5) / (total - Double(count) + 0.5)),
                ability: scale > 0 ? sum / scale : 0,
                curvature: scale > 0 && ability.squareDeviation > 0
                    ? square / (scale * ability.squareDeviation) : 0)
        }
        key = given.firstIndex(of: item.key) ?? 0
    }

    /// The correlation of the key with ability, minus the mean of the others'.
    var keyLead: Double {
        let others = options.indices.filter { $0 != key }.map { options[$0].ability }
        return options[key].ability
            - (others.isEmpty ? 0 : others.reduce(0, +) / Double(others.count))
    }
}

/// Abilities with the mean 0 and the deviation 1, and what a straight line leaves of their squares.
private struct StandardAbility {
    let values: [Double]
    /// `t² - 1 - m3 t`, where `m3` is the mean of `t³`; its mean is 0.
    let squares: [Double]
    /// The deviation of `squares`; 0 where they are all alike.
    let squareDeviation: Double

    init(_ abilities: [Double]) {
        let count = Double(max(1, abilities.count))
        let mean = abilities.reduce(0, +) / count
        let variance = abilities.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
        let deviation = variance.squareRoot()
        guard deviation > 1e-9 else {
            values = Array(repeating: 0, count: abilities.count)
            squares = values
            squareDeviation = 0
            return
        }
        let standard = abilities.map { ($0 - mean) / deviation }
        let skewness = standard.reduce(0) { $0 + $1 * $1 * $1 } / count
        values = standard
        squares = standard.map { $0 * $0 - 1 - skewness * $0 }
        let squareVariance = squares.reduce(0) { $0 + $1 * $1 } / count
        squareDeviation = squareVariance > 1e-9 ? squareVariance.squareRoot() : 0
    }
}
