/// The commands of TeX that formulas may use, by their meaning: each name, then its character.
///
/// Characters are those that Unicode's UTR 25 gives for the commands of TeX, LaTeX and amsmath.
enum TeXTables {
    /// Letters in italics.
    static let identifiers = pairs(
        #"""
        alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ
        iota ι kappa κ varkappa ϰ lambda λ mu μ nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ
        varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω
        """#)

    /// Upright letters and letter-like signs.
    static let uprightLetters = pairs(
        #"""
        Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω infty ∞
        partial ∂ hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ emptyset ∅ varnothing ∅ imath ı jmath ȷ top ⊤
        bot ⊥
        """#)

    /// Signs without a place between two parts.
    static let ordinarySigns = pairs(
        #"""
        forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ nabla ∇ angle ∠ triangle △ square □ degree °
        prime ′ dots … ldots … cdots ⋯ vdots ⋮ ddots ⋱ backslash \ # # % % $ $ & & _ _ dag †
        ddag ‡ checkmark ✓
        """#)

    /// Operators between two parts.
    static let binaryOperators = pairs(
        #"""
        cdot ⋅ times × div ÷ pm ± mp ∓ ast ∗ star ⋆ circ ∘ bullet ∙ oplus ⊕ ominus ⊖ otimes ⊗
        odot ⊙ cup ∪ cap ∩ setminus ∖ land ∧ wedge ∧ lor ∨ vee ∨ sqcup ⊔ sqcap ⊓ uplus ⊎ amalg ⨿
        """#)

    /// Relations.
    static let relations = pairs(
        #"""
        le ≤ leq ≤ ge ≥ geq ≥ leqslant ⩽ geqslant ⩾ lt < gt > ne ≠ neq ≠ equiv ≡ approx ≈ sim ∼
        simeq ≃ cong ≅ propto ∝ ll ≪ gg ≫ in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ subsetneq ⊊
        supset ⊃ supseteq ⊇ to → rightarrow → gets ← leftarrow ← leftrightarrow ↔ Rightarrow ⇒
        Leftarrow ⇐ Leftrightarrow ⇔ implies ⟹ impliedby ⟸ iff ⟺ mapsto ↦ longrightarrow ⟶
        longleftarrow ⟵ uparrow ↑ downarrow ↓ rightleftharpoons ⇌ rightharpoonup ⇀ nearrow ↗
        searrow ↘ perp ⟂ parallel ∥ mid ∣ nmid ∤ models ⊨ vdash ⊢ asymp ≍ doteq ≐ therefore ∴
        because ∵ colon : triangleq ≜ prec ≺ succ ≻
        """#)

    /// Operators with limits.
    static let largeOperators = pairs(
        #"""
        sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigoplus ⨁
        bigotimes ⨂ bigvee ⋁ bigwedge ⋀
        """#)

    /// Functions with limits below them.
    static let limitFunctions = words(
        """
        lim max min sup inf det gcd Pr
        """
    ).merging(["limsup": "lim sup", "liminf": "lim inf"]) { $1 }

    /// Functions.
    static let functions = words(
        """
        sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp arg deg
        dim ker hom
        """)

    /// The delimiters after `\left`, `\right` and `\big`, except the invisible `.`.
    static let delimiters = pairs(
        #"""
        ( ( ) ) [ [ ] ] | | / / \{ { \} } \| ‖ \vert | \Vert ‖ \lvert | \rvert | \lVert ‖
        \rVert ‖ \langle ⟨ \rangle ⟩ \lfloor ⌊ \rfloor ⌋ \lceil ⌈ \rceil ⌉ \lbrace { \rbrace }
        \lbrack [ \rbrack ] < ⟨ > ⟩ \backslash \ \uparrow ↑ \downarrow ↓
        """#)

    /// Accents over a letter.
    static let accents = pairs(
        #"""
        vec → hat ^ bar ¯ dot ˙ ddot ¨ tilde ~ check ˇ breve ˘ acute ´ grave ` mathring ˚
        """#)

    /// Accents, lines and braces as wide as their part.
    static let wideAccents = pairs(
        #"""
        overline ‾ underline _ overbrace ⏞ underbrace ⏟ overrightarrow → overleftarrow ←
        widehat ^ widetilde ~
        """#)

    /// Signs that `\not` can strike out.
    static let negated = pairs(
        #"""
        = ≠ ∈ ∉ ⊂ ⊄ ⊆ ⊈ ≡ ≢ ∼ ≁ ≈ ≉ < ≮ > ≯ ≤ ≰ ≥ ≱ ∣ ∤ ∥ ∦ ∃ ∄ ⇒ ⇏ → ↛
        """#)

    /// Horizontal spaces, in em.
    static let spaces: [String: Double] = [
        ",": 0.1667, ":": 0.2222, ">": 0.2222, ";": 0.2778, "!": -0.1667, " ": 0.25, "quad": 1,
        "qquad": 2, "thinspace": 0.1667, "enspace": 0.5,
    ]

    /// Alphabets.
    static let alphabets: [String: FormulaAlphabet] = [
        "mathrm": .upright, "mathbf": .bold, "mathit": .italic, "mathbb": .doubleStruck,
        "mathcal": .script, "mathfrak": .fraktur, "mathsf": .sansSerif, "mathtt": .monospace,
        "boldsymbol": .boldItalic, "bm": .boldItalic,
    ]

    /// Commands whose argument is words.
    static let texts: [String: FormulaTextStyle] = [
        "text": .plain, "textrm": .plain, "textbf": .bold, "textit": .italic, "mbox": .plain,
        "textsf": .plain,
    ]

    /// Environments, without `array`, whose argument has its columns.
    static let environments: [String: FormulaTable.Kind] = [
        "matrix": .matrix(open: "", close: ""), "pmatrix": .matrix(open: "(", close: ")"),
        "bmatrix": .matrix(open: "[", close: "]"), "Bmatrix": .matrix(open: "{", close: "}"),
        "vmatrix": .matrix(open: "|", close: "|"), "Vmatrix": .matrix(open: "‖", close: "‖"),
        "smallmatrix": .smallMatrix, "cases": .cases, "aligned": .aligned, "align": .aligned,
        "align*": .aligned, "split": .aligned, "gathered": .gathered, "gather": .gathered,
        "gather*": .gathered,
    ]

    /// Commands with arguments or an effect of their own.
    static let structures: [String: TeXStructure] = [
        "frac": .fraction(.inherited), "dfrac": .fraction(.displayed), "tfrac": .fraction(.inline),
        "binom": .binomial, "sqrt": .root, "left": .left, "right": .right, "middle": .middle,
        "begin": .begin, "end": .end, "overset": .stackAbove, "stackrel": .stackAbove,
        "underset": .stackBelow, "xrightarrow": .arrow("→"), "xleftarrow": .arrow("←"),
        "operatorname": .operatorName, "limits": .limits, "nolimits": .limits,
        "displaystyle": .style(isDisplayed: true), "textstyle": .style(isDisplayed: false),
        "not": .not, "pmod": .modulo(isInParentheses: true), "bmod": .binaryModulo,
        "mod": .modulo(isInParentheses: false), "ce": .chemistry, "substack": .substack,
        "big": .size(1.2, nil), "bigl": .size(1.2, .open), "bigr": .size(1.2, .close),
        "Big": .size(1.8, nil), "Bigl": .size(1.8, .open), "Bigr": .size(1.8, .close),
        "bigg": .size(2.4, nil), "biggl": .size(2.4, .open), "biggr": .size(2.4, .close),
        "Bigg": .size(3, nil),
    ]

    /// Reads pairs of words.
    private static func pairs(_ table: String) -> [String: String] {
        let words = table.split(whereSeparator: \.isWhitespace).map(String.init)
        let keys = stride(from: 0, to: words.count - 1, by: 2)
        return Dictionary(keys.map { (words[$0], words[$0 + 1]) }) { $1 }
    }

    /// Reads words that are their own value.
    private static func words(_ table: String) -> [String: String] {
        Dictionary(table.split(whereSeparator: \.isWhitespace).map { (String($0), String($0)) }) {
            $1
        }
    }
}
