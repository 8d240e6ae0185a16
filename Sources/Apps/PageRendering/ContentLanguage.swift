import Foundation

/// The language of an author's text, as `lang` and `dir` of its element.
///
/// The text may be in another language than the interface. For an unknown language, `lang` is empty, which declares
/// none (HTML, section 3.2.6.2), and the text itself determines the direction.
package struct ContentLanguage: Sendable, Hashable {
    /// The value of `lang`; empty for an unknown language.
    package let lang: String
    /// The value of `dir`.
    package let dir: String

    /// Creates the attributes of a language.
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
