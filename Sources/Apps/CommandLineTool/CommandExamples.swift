import ArgumentParser

extension CommandConfiguration {
    /// Creates the configuration of a command whose help ends with examples.
    ///
    /// - Parameters:
    ///   - commandName: The name as typed.
    ///   - abstract: One sentence of what the command does.
    ///   - discussion: What a user has to know beside it.
    ///   - examples: One or two calls that work as they are; `HelpTests` parses them.
    ///   - subcommands: The commands below this one.
    ///   - defaultSubcommand: The command that runs without the name of one.
    init(
        commandName: String, abstract: String, discussion: String = "", examples: [String],
        subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let lines = examples.map { "EXAMPLE: \($0)" }.joined(separator: "\n")
        self.init(
            commandName: commandName, abstract: abstract,
            discussion: discussion.isEmpty ? lines : "\(discussion)\n\n\(lines)",
            subcommands: subcommands, defaultSubcommand: defaultSubcommand)
    }
}
