/// The class of a whole number that decides the form of the words around it.
///
/// The cardinal rules of the Unicode CLDR, version 48, `common/supplemental/plurals.xml`, for the
/// languages of the study app and for whole numbers only.
package enum PluralCategory: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other

    /// Creates the category of a number in a language, `other` for a language without rules.
    package init(_ number: Int, language: String) {
        let size = number.magnitude
        switch (language, size) {
        case ("en", 1), ("de", 1), ("es", 1), ("ar", 1): self = .one
        case ("es", 1...) where size % 1_000_000 == 0: self = .many
        case ("ar", 0): self = .zero
        case ("ar", 2): self = .two
        case ("ar", _) where (3...10).contains(size % 100): self = .few
        case ("ar", _) where (11...99).contains(size % 100): self = .many
        default: self = .other
        }
    }

    /// Returns the categories that a language has, in the order of the CLDR.
    package static func categories(of language: String) -> [PluralCategory] {
        switch language {
        case "ar": allCases
        case "es": [.one, .many, .other]
        case "ja": [.other]
        default: [.one, .other]
        }
    }

    /// Returns the key without its category; `nil` for the key of a text that no number decides.
    package static func family(of key: String, in texts: [String: String]) -> String? {
        guard let dot = key.lastIndex(of: "."),
            PluralCategory(rawValue: String(key[key.index(after: dot)...])) != nil
        else { return nil }
        let family = String(key[..<dot])
        return texts["\(family).other"] == nil ? nil : family
    }
}
