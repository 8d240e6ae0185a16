/// The arguments of `help`, which has no options of its own.
enum HelpArguments {
    /// Removes `--json` from the arguments of `help`, since `Console.isJSON` knows it already.
    static func parsable(_ arguments: [String]) -> [String] {
        arguments.first == "help" ? arguments.filter { $0 != "--json" } : arguments
    }
}
