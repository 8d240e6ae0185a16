/// The nodes of single symbols, by their command and by their character.
enum FormulaSymbol {
    /// The symbols that have a command, by its name.
    static let commands: [String: FormulaNode] = {
        var all: [String: FormulaNode] = [:]
        func add(_ table: [String: String], _ make: (String) -> FormulaNode) {
            all.merge(table.mapValues(make)) { first, _ in first }
        }
        add(TeXTables.identifiers) { .identifier($0, .italic) }
        add(TeXTables.uprightLetters) { .identifier($0, .upright) }
        add(TeXTables.ordinarySigns, ordinary)
        add(TeXTables.binaryOperators) { .sign(FormulaSign($0, .binary)) }
        add(TeXTables.relations) { .sign(FormulaSign($0, .relation)) }
        add(TeXTables.largeOperators) { .large($0) }
        add(TeXTables.limitFunctions) { .function($0, hasLimits: true) }
        add(TeXTables.functions) { .function($0, hasLimits: false) }
        for (name, text) in TeXTables.delimiters where name.first == "\\" {
            let command = String(name.dropFirst())
            let role = barRoles[command] ?? delimiterRole(text)
            all[command] = all[command] ?? .sign(FormulaSign(text, role))
        }
        return all
    }()

    /// The symbols that an author may type as they are.
    static let characters: [Unicode.Scalar: FormulaNode] = {
        var all: [Unicode.Scalar: FormulaNode] = [:]
        for node in commands.values {
            let text: String =
                switch node {
                case .identifier(let text, _), .large(let text): text
                case .sign(let sign): sign.text
                default: ""
                }
            if let scalar = text.unicodeScalars.first, !scalar.isASCII { all[scalar] = node }
        }
        return all.merging(ascii) { $1 }
    }()

    /// The signs of ASCII, and some others that authors type.
    private static let ascii: [Unicode.Scalar: FormulaNode] = {
        let signs: KeyValuePairs<FormulaRole, String> = [
            .binary: "+±−·", .relation: "=<>:", .open: "([", .close: ")]", .punctuation: ",;",
            .postfix: "!?", .bar: "|‖", .tight: "/.′",
        ]
        var all: [Unicode.Scalar: FormulaNode] = [:]
        for (role, texts) in signs {
            for scalar in texts.unicodeScalars {
                all[scalar] = .sign(FormulaSign(String(scalar), role))
            }
        }
        all["-"] = .sign(FormulaSign("−", .binary))
        all["*"] = .sign(FormulaSign("∗", .binary))
        all["·"] = .sign(FormulaSign("⋅", .binary))
        all["~"] = .space(0.25)
        all["@"] = .identifier("@", .upright)
        return all
    }()

    /// Returns the role of a delimiter by its shape.
    static func delimiterRole(_ text: String) -> FormulaRole {
        switch text {
        case "(", "[", "{", "⟨", "⌊", "⌈": .open
        case ")", "]", "}", "⟩", "⌋", "⌉": .close
        case "|", "‖": .bar
        default: .ordinary
        }
    }

    /// Bars whose command tells their side.
    private static let barRoles: [String: FormulaRole] = [
        "lvert": .open, "lVert": .open, "rvert": .close, "rVert": .close,
    ]

    private static func ordinary(_ text: String) -> FormulaNode {
        switch text {
        case "∀", "∃", "∄", "¬": .sign(FormulaSign(text, .quantifier))
        case "∇", "…", "⋯", "⋮", "⋱", "′", "\\": .sign(FormulaSign(text, .tight))
        default: .identifier(text, .upright)
        }
    }
}
