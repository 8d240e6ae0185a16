import Foundation

/// The language of an author's text, as `lang` and `dir` of the element that holds it.
///
/// The text is not in the language of the interface around it. Where its language is unknown, `lang` is empty, which
/// claims none (HTML, section 3.2.6.2), and the text itself gives the direction.
package struct ContentLanguage: Sendable, Hashable {
    /// The value of `lang`; empty where the language is unknown.
    package let lang: String
    /// The value of `dir`.
    package let dir: String

    /// Describes a language.
    ///
    /// - Parameter tag: The tag (BCP 47); `nil` for an unknown one.
    package init(_ tag: String?) {
        lang = tag ?? ""
        dir =
            switch Locale.Language(identifier: lang).characterDirection {
            case .leftToRight where tag != nil: "ltr"
            case .rightToLeft: "rtl"
            default: "auto"
            }
    }
}
