/// The arguments of `help`, which has no options of its own.
enum HelpArguments {
    /// Takes `--json` from the arguments of `help`, since the form of the answer is known without it
    /// (`Console.isJSON`).
    static func parsable(_ arguments: [String]) -> [String] {
        arguments.first == "help" ? arguments.filter { $0 != "--json" } : arguments
    }
}
