extension FormulaMistake {
    /// The sentence for authors: what is wrong, and the remedy.
    package var message: String {
        switch kind {
        case .unknown: "The app does not know `\(found)`.\(suggestion)"
        case .brace:
            found == "}"
                ? "`}` has no `{` before it. Delete it, or write `\\}` for a brace that is shown."
                : "`{` has no `}`. Add it."
        case .bracket: "`[` has no `]`. Add it."
        case .argument: missingArgument
        case .double: "There is a second `\(found)`. Put the first part in braces, as in `{x^2}^3`."
        case .left: "`\\left` has no `\\right`. Add it; `\\right.` shows no bracket."
        case .right: "`\(found)` has no `\\left` before it."
        case .fence:
            found.isEmpty
                ? "A bracket is missing at the end. Write one such as `(`, or `.` for none."
                : "`\(found)` is no bracket. Write one such as `(`, or `.` for none."
        case .begin: "`\(found)` has no partner. `\\begin{…}` needs an `\\end{…}` of the same name."
        case .environment: "The app does not know the environment `\(found)`.\(suggestion)"
        case .columns: "Columns are `l`, `c` and `r`, as in `\\begin{array}{lc}`."
        case .ampersand: "`&` is for the cells of an environment. Write `\\&` for the sign."
        case .linebreak: "`\\\\` is for the lines of an environment, such as `aligned`."
        case .text: "`\(found)` cannot be in `\\text{…}`. End the text before it."
        case .comment: "Write `\\%` for the sign. TeX ignores what follows a `%`."
        case .dangling: "A backslash needs a command after it."
        case .chem: "The app does not know `\(found)` here in `\\ce{…}`."
        case .limit:
            """
            The formula is too large. It may have \(ContentLimits.formulaBytesMax) bytes, \
            \(ContentLimits.formulaNodesMax) parts, \(ContentLimits.formulaDepthMax) levels \
            and \(ContentLimits.formulaCellsMax) cells.
            """
        }
    }

    private var missingArgument: String {
        switch found {
        case "\\not": "`\\not` needs a sign after it that has an opposite, such as `=` or `\\in`."
        case "\\limits", "\\nolimits": "`\(found)` needs an operator before it, such as `\\sum`."
        case "\\begin", "\\end": "`\(found)` needs an environment after it, such as `{matrix}`."
        default: "`\(found)` needs an argument after it, such as `{x}`."
        }
    }

    private var suggestion: String {
        if let tex = UnicodeScripts.tex(for: found) { return " Write `\(tex)`." }
        let isEnvironment = kind == .environment
        let names =
            isEnvironment
            ? Array(TeXTables.environments.keys) + ["array"]
            : TeXCommand.all.keys.map { "\\" + $0 }
        // One letter in four: "\def" is no mistyped "\deg".
        let distanceMax = (found.count - (isEnvironment ? 0 : 1)) / 4
        let near = nearestName(to: found, among: names.sorted(), distanceMax: distanceMax)
        return near.map { " Did you mean `\($0)`?" } ?? ""
    }
}
