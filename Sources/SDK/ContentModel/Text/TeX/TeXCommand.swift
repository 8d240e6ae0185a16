/// What a command of TeX means.
enum TeXCommand {
    case node(FormulaNode)
    case accent(String)
    case wide(String)
    case alphabet(FormulaAlphabet)
    case text(FormulaTextStyle)
    case structure(TeXStructure)

    /// All commands, by the name without the backslash.
    static let all: [String: TeXCommand] = {
        var all: [String: TeXCommand] = [:]
        func add<Value>(_ table: [String: Value], _ make: (Value) -> TeXCommand) {
            all.merge(table.mapValues(make)) { first, _ in first }
        }
        add(FormulaSymbol.commands) { .node($0) }
        add(TeXTables.spaces) { .node(.space($0)) }
        add(TeXTables.accents) { .accent($0) }
        add(TeXTables.wideAccents) { .wide($0) }
        add(TeXTables.alphabets) { .alphabet($0) }
        add(TeXTables.texts) { .text($0) }
        add(TeXTables.structures) { .structure($0) }
        return all
    }()
}

/// A command with arguments or an effect of its own.
enum TeXStructure {
    case fraction(FormulaFractionStyle)
    case binomial
    case root
    case left
    case right
    case middle
    case begin
    case end
    case stackAbove
    case stackBelow
    case arrow(String)
    case operatorName
    case limits
    case style(isDisplayed: Bool)
    case not
    case modulo(isInParentheses: Bool)
    case binaryModulo
    /// A height in em, and the role if the command has one.
    case size(Double, FormulaRole?)
    case chemistry
    case substack
}
