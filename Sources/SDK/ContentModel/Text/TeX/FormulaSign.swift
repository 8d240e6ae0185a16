/// An operator, relation, bracket or punctuation mark of a formula.
package struct FormulaSign: Sendable, Hashable {
    /// The character.
    package var text: String
    /// The role, which decides about spaces.
    package var role: FormulaRole

    init(_ text: String, _ role: FormulaRole) {
        self.text = text
        self.role = role
    }

    /// True for an arrow, which MathML would stretch.
    package var isArrow: Bool {
        text.unicodeScalars.allSatisfy {
            (0x2190...0x21FF).contains($0.value) || (0x27F0...0x27FF).contains($0.value)
        }
    }

    /// True for a sign that may be one of a number: `-x`.
    var canBePrefix: Bool { role == .binary && ["+", "−", "±", "∓"].contains(text) }
}

/// The role of a part among its neighbours: the classes of atoms in chapter 17 of The TeXbook, and some finer ones.
package enum FormulaRole: Sendable {
    case ordinary
    /// A quantifier or a negation.
    case quantifier
    /// An ordinary sign that MathML must not space, such as the slash.
    case tight
    case text
    case function
    case large
    case binary
    /// A plus or minus that belongs to the part after it.
    case prefix
    case relation
    case punctuation
    case open
    case close
    /// A sign after its part, such as the factorial.
    case postfix
    /// A bar that opens and closes.
    case bar
    /// A bar by `\middle`.
    case middle
    case inner
    case space

    /// True if a plus or minus after such a part is the sign of what follows.
    ///
    /// A binary operation has something before it (The TeXbook, appendix G, rules 5 and 6).
    var isBeforePrefix: Bool {
        switch self {
        case .binary, .prefix, .relation, .punctuation, .open, .large, .function, .middle: true
        default: false
        }
    }

    /// True if there is a space between a function and such a part.
    package var isApartFromFunction: Bool {
        switch self {
        case .ordinary, .quantifier, .tight, .text, .function, .large, .inner, .bar, .prefix: true
        default: false
        }
    }
}
