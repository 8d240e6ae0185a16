/// A part of a parsed formula.
///
/// The cases are close to the elements of MathML Core, so that a writer is one `switch`. A case with
/// ``row(_:)`` where one part would do does not occur: see ``init(_:)``.
package indirect enum FormulaNode: Sendable, Hashable {
    /// A variable, or a name of several letters.
    case identifier(String, FormulaAlphabet)
    /// Digits, with a decimal point or comma.
    case number(String, FormulaAlphabet)
    /// A sign between or around other parts.
    case sign(FormulaSign)
    /// The name of a function such as sin; those such as lim have their limits below.
    case function(String, hasLimits: Bool)
    /// A sum, an integral, or another large operator.
    case large(String)
    /// Words.
    case text(String, FormulaTextStyle)
    /// The charge of an ion, as "2−".
    case charge(String)
    /// A horizontal space, in em.
    case space(Double)
    /// A group of none, two or more parts.
    case row([FormulaNode])
    /// The parts after `\displaystyle` or `\textstyle`.
    case styled([FormulaNode], isDisplayed: Bool)
    /// A part with a subscript, a superscript or both.
    case scripts(FormulaNode, sub: FormulaNode?, sup: FormulaNode?, FormulaLimitsPlacement)
    /// A fraction: numerator, denominator.
    case fraction(FormulaNode, FormulaNode, FormulaFractionStyle)
    /// A binomial coefficient.
    case binomial(FormulaNode, FormulaNode)
    /// A root; a square root has no index.
    case root(FormulaNode, index: FormulaNode?)
    /// Parts between delimiters that grow with them; an empty delimiter is invisible.
    case fenced([FormulaNode], open: String, close: String)
    /// A delimiter of a fixed height, in em.
    case sized(String, height: Double, FormulaRole)
    /// An accent over a letter.
    case accent(String, FormulaNode)
    /// An accent, line or brace as wide as the part that it spans.
    case wide(String, FormulaNode)
    /// A part with others above or below it.
    case stack(FormulaNode, above: FormulaNode?, below: FormulaNode?)
    /// An arrow as long as the labels above and below it.
    case arrow(String, above: FormulaNode, below: FormulaNode?)
    /// A matrix, cases, or aligned lines.
    case table(FormulaTable)
    /// "mod n", as `\pmod` and `\mod` write it.
    case modulo(FormulaNode, isInParentheses: Bool)
    /// The content of `\ce`.
    case chemistry([FormulaNode])

    /// Creates a row, or the one part that it would have.
    init(_ parts: [FormulaNode]) {
        self = parts.count == 1 ? parts[0] : .row(parts)
    }

    /// The parts of a row; any other node is its only part.
    package var parts: [FormulaNode] {
        if case .row(let parts) = self { parts } else { [self] }
    }

    /// The part that carries the scripts, or the node itself.
    package var nucleus: FormulaNode {
        switch self {
        case .scripts(let base, _, _, _), .stack(let base, _, _): base.nucleus
        default: self
        }
    }

    /// True for an operator, function or brace that has limits instead of scripts.
    var hasLimits: Bool {
        switch self {
        case .large, .function(_, hasLimits: true), .wide("⏞", _), .wide("⏟", _): true
        default: false
        }
    }

    /// True for a letter, a name or a number, which needs no end in speech.
    var isSimple: Bool {
        switch self {
        case .identifier, .number: true
        default: false
        }
    }

    /// The role that decides about the spaces around the node (The TeXbook, chapter 18).
    package var role: FormulaRole {
        switch nucleus {
        case .sign(let sign): sign.role
        case .sized(_, _, let role): role
        case .function: .function
        case .large: .large
        case .space: .space
        case .arrow: .relation
        case .fenced, .table: .inner
        case .text: .text
        default: .ordinary
        }
    }
}

/// The words of `\text`, `\textbf` and `\textit`.
package enum FormulaTextStyle: String, Sendable {
    case plain = ""
    case bold = "b"
    case italic = "i"
}

/// The size of a fraction: of its surroundings (`\frac`), large (`\dfrac`) or small (`\tfrac`).
package enum FormulaFractionStyle: Sendable {
    case inherited
    case displayed
    case inline
}

/// The place of scripts: beside their base, or above and below it.
package enum FormulaLimitsPlacement: Sendable {
    case beside
    /// Below and above in a displayed formula, beside in a line.
    case limits
    /// Below and above everywhere, by `\limits`.
    case fixedLimits
}
