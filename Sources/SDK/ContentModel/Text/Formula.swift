/// A formula in a text, in the subset of TeX that the app knows.
///
/// The source stays as the author typed it, without its dollars. Each face parses it when it shows it: some
/// 10 µs, at most 1 ms. A formula with a mistake is refused whole, so that no face shows half of it.
///
/// ```swift
/// let formula = Formula(tex: #"\frac{1}{2}+x^2"#, isDisplayed: false)
/// print(formula.plainText)   // 1/2 + x²
/// print(formula.spokenText())  // 1 over 2 plus x squared
/// ```
public struct Formula: Sendable, Hashable {
    /// The source in TeX.
    public let tex: String
    /// True for a formula on a line of its own (`$$…$$`).
    public let isDisplayed: Bool

    /// Creates a formula from its source, with or without mistakes.
    public init(tex: String, isDisplayed: Bool) {
        self.tex = tex
        self.isDisplayed = isDisplayed
    }
}
