import ArgumentParser
import ContentModel

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
                suggestion = nearestName(
                    to: word, among: children.map(name), distanceMax: max(1, word.count / 3))
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
