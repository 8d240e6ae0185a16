/// The ability of each person, judged by all questions except one.
///
/// `theta_i(-j) = sum (x_ik - p_k) / (1 + sum p_k (1 - p_k))` over the questions `k` other than `j`
/// that person `i` answered; `p` is a question's facility, limited to .02 to .98. The sums over all
/// questions are computed once, so that leaving one out costs two subtractions.
struct AbilityProxy {
    private let keys: [Int32]
    private let facilities: [Double]
    private var surplus: [Double]
    private var information: [Double]

    init(_ table: ResponseMatrix) {
        let keys = table.items.map { Int32($0.key) }
        let facilities = table.items.indices.map { item in
            let rows = table.rows(of: item)
            let key = keys[item]
            let right = rows.reduce(0) { $0 + (table.responses[$1] == key ? 1 : 0) }
            return rows.isEmpty ? 0.5 : Double(right) / Double(rows.count)
        }
        self.keys = keys
        self.facilities = facilities
        surplus = Array(repeating: 0, count: table.personCount)
        information = surplus
        for item in table.items.indices {
            let p = Self.clamped(facilities[item])
            let key = keys[item]
            for row in table.rows(of: item) {
                let person = Int(table.persons[row])
                surplus[person] += (table.responses[row] == key ? 1 : 0) - p
                information[person] += p * (1 - p)
            }
        }
    }

    private static func clamped(_ facility: Double) -> Double { min(max(facility, 0.02), 0.98) }

    /// Returns the ability of each respondent of a question, without that question.
    func abilities(without item: Int, in table: ResponseMatrix) -> [Double] {
        let p = Self.clamped(facilities[item])
        let key = keys[item]
        return table.rows(of: item).map { row in
            let person = Int(table.persons[row])
            let own = (table.responses[row] == key ? 1 : 0) - p
            return (surplus[person] - own) / (1 + max(0, information[person] - p * (1 - p)))
        }
    }
}
