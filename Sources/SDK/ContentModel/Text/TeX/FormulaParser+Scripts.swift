extension FormulaParser {
    /// Parses one atom with its scripts.
    mutating func scripted(after previous: FormulaRole?) throws(FormulaMistake) -> FormulaNode {
        let isEmpty = next.map { "^_'".unicodeScalars.contains($0) } ?? true
        let base = isEmpty ? FormulaNode.row([]) : try atom(after: previous)
        let placement = try limitsPlacement(of: base)
        var scripts = Scripts()
        while try readScript(into: &scripts) {}
        guard scripts.sub != nil || scripts.sup != nil else { return base }
        return .scripts(base, sub: scripts.sub, sup: scripts.sup, placement)
    }

    private struct Scripts {
        var sub: FormulaNode?
        var sup: FormulaNode?
        /// True while the superscript consists of primes, to which a superscript may be added.
        var isPrimed = false
    }

    /// Reads a script if one is next; returns false if none is.
    private mutating func readScript(into scripts: inout Scripts) throws(FormulaMistake) -> Bool {
        skipSpaces()
        let start = position
        switch next {
        case "'" where scripts.sup == nil:
            scripts.sup = primes()
            scripts.isPrimed = true
        case "^" where scripts.sup == nil || scripts.isPrimed:
            position += 1
            let sup = try argument(of: "^", at: start)
            scripts.sup = scripts.sup.map { .row([$0] + sup.parts) } ?? sup
            scripts.isPrimed = false
        case "_" where scripts.sub == nil:
            position += 1
            scripts.sub = try argument(of: "_", at: start)
        case let scalar? where "^_'".unicodeScalars.contains(scalar):
            throw mistake(.double, at: start, String(scalar))
        default: return false
        }
        return true
    }

    /// Reads primes: up to four are one character.
    private mutating func primes() -> FormulaNode {
        let count = readWhile { $0 == "'" }.unicodeScalars.count
        let signs = ["′", "″", "‴", "⁗"]
        let text = count <= 4 ? signs[count - 1] : String(repeating: "′", count: count)
        return .sign(FormulaSign(text, .tight))
    }

    /// Reads `\limits` and `\nolimits`, and returns the place of a part's scripts.
    private mutating func limitsPlacement(
        of base: FormulaNode
    ) throws(FormulaMistake) -> FormulaLimitsPlacement {
        var placement = base.limitsPlacement
        skipSpaces()
        while let name = nextCommand, case .structure(.limits) = TeXCommand.all[name] {
            switch base {
            case .large, .function(_, hasLimits: true): break
            default: throw mistake(.argument, at: position, "\\" + name)
            }
            position += 1 + name.unicodeScalars.count
            placement = name == "limits" ? .fixedLimits : .beside
            skipSpaces()
        }
        return placement
    }
}

extension FormulaNode {
    /// The place of a part's scripts without `\limits`.
    fileprivate var limitsPlacement: FormulaLimitsPlacement {
        switch self {
        case .large("∫"), .large("∬"), .large("∭"), .large("∮"): .beside
        default: hasLimits ? .limits : .beside
        }
    }
}
