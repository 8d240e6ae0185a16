/// The former names of subcommands and options, which scripts may still use; help shows the present ones.
enum FormerNames {
    private static let subcommands = [
        "account": [
            "external": "sign-in-external", "forget": "remove-device",
            "remove": "remove-sign-in-method", "reset": "reset-password",
            "verify": "verify-email", "ways": "sign-in-methods",
        ]
    ]

    private static let options = [
        "analyse": ["--bank": "--exam"], "announce": ["--only": "--language"],
    ]

    /// Returns the arguments with present names in the place of former ones.
    static func replaced(_ arguments: [String]) -> [String] {
        let first = arguments.first == "help" ? 1 : 0
        guard arguments.indices.contains(first + 1) else { return arguments }
        var replaced = arguments
        let (command, next) = (arguments[first], first + 1)
        replaced[next] = subcommands[command]?[arguments[next]] ?? arguments[next]
        guard let names = options[command] else { return replaced }
        let end = replaced[next...].firstIndex(of: "--") ?? replaced.endIndex
        for index in next..<end { replaced[index] = renamed(replaced[index], names) }
        return replaced
    }

    /// Returns an argument `--option` or `--option=value` with the present name.
    private static func renamed(_ argument: String, _ names: [String: String]) -> String {
        let name = argument.prefix { $0 != "=" }
        return (names[String(name)] ?? String(name)) + argument.dropFirst(name.count)
    }
}
