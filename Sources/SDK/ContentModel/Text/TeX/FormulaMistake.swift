/// The reason why a formula is refused, and its place.
package struct FormulaMistake: Error, Sendable, Hashable {
    /// The kind of mistake.
    package enum Kind: String, Sendable, CaseIterable {
        /// A command or character that the app does not know.
        case unknown
        /// A brace without its partner.
        case brace
        /// An optional argument without its end.
        case bracket
        /// A command without its argument.
        case argument
        /// A second superscript or subscript.
        case double
        /// `\left` without `\right`.
        case left
        /// `\right` or `\middle` without `\left`.
        case right
        /// Something else than a delimiter after `\left`, `\right`, `\middle` or `\big`.
        case fence
        /// `\begin` without its `\end`, or the other way round.
        case begin
        /// An environment that the app does not know.
        case environment
        /// The columns of an array in a form that the app does not know.
        case columns
        /// `&` outside of an environment.
        case ampersand
        /// `\\` outside of an environment.
        case linebreak
        /// A formula or a command in words.
        case text
        /// `%`, which begins a comment in TeX.
        case comment
        /// A backslash at the end.
        case dangling
        /// Chemistry that the app does not know.
        case chem
        /// A formula beyond the limits.
        case limit
    }

    /// The kind of mistake.
    package let kind: Kind
    /// The place in the formula, in Unicode scalars from 0.
    package let offset: Int
    /// The command with its backslash, the character or the name of the environment.
    package let found: String
}
