extension FormulaWords {
    /// The English words.
    public static let english = FormulaWords(
        phrases: englishPhrases, symbols: englishSymbols,
        chemicalSymbols: [
            "→": "yields", "⋅": "dot", "−": "bond", "=": "double bond", "≡": "triple bond",
        ])

    private static let englishPhrases: [Phrase: String] = [
        .fraction: "fraction {a} over {b} end fraction", .simpleFraction: "{a} over {b}",
        .squareRoot: "square root of {a} end root", .simpleSquareRoot: "square root of {a}",
        .cubeRoot: "cube root of {a} end root", .simpleCubeRoot: "cube root of {a}",
        .root: "root {a} of {b} end root", .simpleRoot: "root {a} of {b}",
        .squared: "{a} squared", .cubed: "{a} cubed", .power: "{a} to the power {b} end power",
        .simplePower: "{a} to the power {b}", .subscript: "{a} sub {b}",
        .degrees: "{a} degrees", .prime: "{a} prime", .doublePrime: "{a} double prime",
        .triplePrime: "{a} triple prime", .fromTo: "{a} from {b} to {c} of",
        .over: "{a} over {b} of", .upTo: "{a} to {b} of", .limit: "{a} as {b} of",
        .above: "{a} with {b} above", .below: "{a} with {b} below",
        .binomial: "{a} choose {b}", .matrix: "matrix {a} by {b}, {c}, end matrix",
        .row: "row {a}: {b}", .cases: "{a} cases, {b}, end cases", .cells: "{a}, {b}",
        .rows: "{a}; {b}", .capital: "capital {a}", .bold: "bold {a}", .vector: "{a} vector",
        .hat: "{a} hat", .bar: "{a} bar", .dot: "{a} dot", .doubleDot: "{a} double dot",
        .tilde: "{a} tilde", .check: "{a} check", .breve: "{a} breve", .acute: "{a} acute",
        .grave: "{a} grave", .ring: "{a} ring", .underlined: "{a} underlined",
    ]

    private static let englishSymbols: [String: String] = [
        "+": "plus", "−": "minus", "±": "plus or minus", "∓": "minus or plus", "⋅": "times",
        "×": "times", "∗": "times", "÷": "divided by", "/": "over", "=": "equals",
        "≠": "is not equal to", "<": "is less than", ">": "is greater than",
        "≤": "is less than or equal to", "≥": "is greater than or equal to",
        "⩽": "is less than or equal to", "⩾": "is greater than or equal to",
        "≡": "is equivalent to", "≈": "is approximately", "∼": "is distributed as",
        "≅": "is congruent to", "∝": "is proportional to", "∈": "is in", "∉": "is not in",
        "⊂": "is a subset of", "⊆": "is a subset of or equal to", "⊃": "is a superset of",
        "⊇": "is a superset of or equal to", "∥": "is parallel to", "⟂": "is perpendicular to",
        "∣": "bar", "∪": "union", "∩": "intersection", "∖": "without", "∧": "and", "∨": "or",
        "¬": "not", "∘": "circle", "→": "to", "⟶": "to", "⇒": "implies", "⟹": "implies",
        "⇔": "if and only if", "⟺": "if and only if", "⇌": "is in equilibrium with",
        "∀": "for all", "∃": "there exists", "∄": "there is no", "∅": "the empty set",
        "∞": "infinity", "∂": "partial", "∇": "nabla", "ℏ": "h bar", "ℜ": "real part",
        "ℑ": "imaginary part", "∠": "angle", "°": "degrees", "%": "percent", "!": "factorial",
        ",": "comma", ":": "colon", ";": "semicolon", "…": "dots", "⋯": "dots", "⋮": "dots",
        "⋱": "dots", "′": "prime",
        "(": "open paren", ")": "close paren", "[": "open bracket", "]": "close bracket",
        "{": "open brace", "}": "close brace", "|": "vertical bar", "‖": "double bar",
        "⟨": "open angle", "⟩": "close angle", "⌊": "open floor", "⌋": "close floor",
        "⌈": "open ceiling", "⌉": "close ceiling",
        "∑": "sum", "∏": "product", "∫": "integral", "∬": "double integral",
        "∭": "triple integral", "∮": "contour integral",
        "lim": "limit", "lim sup": "limit superior", "lim inf": "limit inferior",
        "max": "maximum", "min": "minimum", "sup": "supremum", "inf": "infimum",
        "sin": "sine", "cos": "cosine", "tan": "tangent", "cot": "cotangent", "sec": "secant",
        "csc": "cosecant", "arcsin": "arc sine", "arccos": "arc cosine",
        "arctan": "arc tangent", "sinh": "hyperbolic sine", "cosh": "hyperbolic cosine",
        "tanh": "hyperbolic tangent", "coth": "hyperbolic cotangent", "ln": "natural log",
        "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ϵ": "epsilon", "ε": "epsilon",
        "ζ": "zeta", "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa",
        "ϰ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ϖ": "pi",
        "ρ": "rho", "ϱ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon",
        "ϕ": "phi", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
    ]
}
