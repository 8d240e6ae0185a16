import ArgumentParser

/// A word that is not a command, with the command that was probably meant.
struct MistypedCommand {
    /// The commands before the word, as `underway account`.
    let path: String
    /// The word as typed.
    let word: String
    /// The nearest name, if any is near.
    let suggestion: String?

    /// Walks the tree of commands along the arguments, also behind `help`; `nil` when each word is
    /// a command.
    init?(_ arguments: [String], root: any ParsableCommand.Type) {
        var (node, path) = (root, [name(of: root)])
        for word in arguments.dropFirst(arguments.first == "help" ? 1 : 0) {
            let children = node.configuration.subcommands
            // Words after an option may be its value.
            guard !children.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let child = children.first(where: { name(of: $0) == word }) else {
                self.path = path.joined(separator: " ")
                self.word = word
                suggestion = nearest(to: word, among: children.map(name))
                return
            }
            (node, path) = (child, path + [word])
        }
        return nil
    }

    /// The text for the user.
    var text: String {
        let meant = suggestion.map { " Did you mean `\(path) \($0)`?" } ?? ""
        return "There is no command `\(path) \(word)`.\(meant) `\(path) --help` lists all."
    }
}

/// Returns the name of a command as typed.
private func name(of command: any ParsableCommand.Type) -> String { command._commandName }

/// Returns the name with the smallest edit distance, at most a third of the word's length.
private func nearest(to word: String, among names: [String]) -> String? {
    let distances = names.map { (name: $0, distance: editDistance(word, $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, word.count / 3) ? best.name : nil
}

/// Returns the number of letters to add, drop, replace or swap with their neighbour (Damerau 1964).
func editDistance(_ left: String, _ right: String) -> Int {
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
