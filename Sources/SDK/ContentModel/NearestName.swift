/// Returns the name with the smallest edit distance, the first of several; `nil` if each is farther than the maximum.
package func nearestName(
    to word: String, among names: [String], distanceMax: Int
) -> String? {
    let distances = names.map { (name: $0, distance: editDistance(word, $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= distanceMax ? best.name : nil
}

/// Returns the number of letters to add, drop, replace or swap with their neighbour (Damerau 1964).
private func editDistance(_ left: String, _ right: String) -> Int {
    // Longer words are no typing mistake, and would take time.
    let (left, right) = (Array(left.prefix(64)), Array(right.prefix(64)))
    var rows = [Array(0...right.count)]
    for i in left.indices {
        var row = [i + 1]
        for j in right.indices {
            let cost = left[i] == right[j] ? 0 : 1
            var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + cost)
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                best = min(best, rows[i - 1][j - 1] + 1)
            }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[left.count][right.count]
}
