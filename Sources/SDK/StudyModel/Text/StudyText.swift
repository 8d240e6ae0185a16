public import Foundation
public import Underway

/// The texts of the study app in one language.
///
/// The program contains built-in texts (`Sources/Translations/<code>.json`), which texts of the installed release
/// override: the key `study.nav.today` of its localization replaces the built-in `nav.today`, so that a publish
/// corrects a word on every screen. Empty texts and other keys are ignored.
///
/// ```swift
/// let words = StudyText(language: "de", overrides: try await content.localization(language: "de").value)
/// words["nav.today"]                              // "Heute"
/// words.text("today.question", ["number": "8", "total": "20"])
/// words.count("today.due", 24)                    // "24 fällig"
/// ```
public struct StudyText: Sendable {
    /// The code of the language of the texts: one of ``languages``.
    public let language: String
    /// The locale of numbers and dates.
    public let locale: Locale
    private let texts: [String: String]
    private let english: [String: String]

    /// Creates the texts of a language.
    ///
    /// - Parameters:
    ///   - language: A BCP 47 tag such as `de` or `de-AT`. The texts are those of the best language for it, English for
    ///     an unknown one; a region in the tag determines the format of numbers and dates.
    ///   - overrides: The release's localization of that language, if any.
    public init(language: String, overrides: Localization? = nil) {
        let code = Self.best(for: [language])
        var texts = Self.builtIn[code] ?? [:]
        for (key, text) in overrides?.strings ?? [:] where key.hasPrefix(Self.prefix) {
            let key = String(key.dropFirst(Self.prefix.count))
            // An empty text would leave a button without a name.
            if texts[key] != nil, !text.isEmpty { texts[key] = text }
        }
        self.init(code, tag: language, texts: texts, english: Self.builtIn["en"] ?? [:])
    }

    /// Creates the texts of a language from a table, with another table for missing keys.
    init(
        _ language: String, tag: String? = nil, texts: [String: String],
        english: [String: String]
    ) {
        self.language = language
        self.locale = Self.locale(of: tag ?? language, language: language)
        self.texts = texts
        self.english = english
    }

    /// True for a language that is written from right to left.
    public var isRightToLeft: Bool { locale.language.characterDirection == .rightToLeft }

    /// Returns the text of a key: in the language, else in English, else the key itself.
    public subscript(key: String) -> String { texts[key] ?? english[key] ?? key }

    /// Returns the text of a key with its placeholders `{name}` replaced.
    ///
    /// A placeholder without an argument remains. A value may run against the direction of the language, such as an
    /// Arabic title in an English sentence. It is put between the isolates U+2068 and U+2069 (Unicode Standard Annex
    /// #9), so that the words around it do not change order.
    public func text(_ key: String, _ arguments: [String: String]) -> String {
        fill(self[key], arguments)
    }

    /// Returns the text of a key for a number: `key.one`, `key.other` and so on.
    ///
    /// The placeholder `{count}` is replaced by the number in the language's digits and grouping.
    public func count(
        _ key: String, _ number: Int, _ arguments: [String: String] = [:]
    ) -> String {
        let arguments = arguments.merging(["count": number.formatted(.number.locale(locale))]) {
            given, _ in given
        }
        return fill(plural(key, number), arguments)
    }

    /// The texts as nested dictionaries for templates: `nav.today` is `nested["nav"]["today"]`.
    ///
    /// Texts that depend on a number are not included: use ``count(_:_:_:)``. Nor are ``formulaWords``. Each call rebuilds it from about 500
    /// texts.
    public var nested: [String: Any] {
        let all = english.merging(texts) { _, text in text }
        let single = all.filter {
            PluralCategory.family(of: $0.key, in: all) == nil
                && !$0.key.hasPrefix(Self.formulaPrefix)
        }
        return Self.nest(single.map { ($0.key.split(separator: ".")[...], $0.value) })
    }

    /// Returns the texts of the language whose keys have a prefix, by the rest of the key.
    func texts(withPrefix prefix: String) -> [(key: String, text: String)] {
        texts.compactMap { key, text in
            key.hasPrefix(prefix) ? (String(key.dropFirst(prefix.count)), text) : nil
        }
    }

    private func plural(_ key: String, _ number: Int) -> String {
        let own = PluralCategory(number, language: language)
        let fallback = PluralCategory(number, language: "en")
        return texts["\(key).\(own)"] ?? texts["\(key).other"]
            ?? english["\(key).\(fallback)"] ?? english["\(key).other"] ?? key
    }

    /// Fills the places in one pass, so that braces in a value remain as they are.
    private func fill(_ text: String, _ arguments: [String: String]) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"),
            let close = rest[open...].firstIndex(of: "}")
        {
            let name = rest[rest.index(after: open)..<close]
            result += rest[..<open]
            result += arguments[String(name)].map(isolated) ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private func isolated(_ value: String) -> String {
        let isForeign = value.unicodeScalars.contains {
            $0.properties.isAlphabetic && $0.isRightToLeft != isRightToLeft
        }
        return isForeign ? "\u{2068}\(value)\u{2069}" : value
    }

    private static func nest(_ texts: [(path: ArraySlice<Substring>, text: String)]) -> [String:
        Any]
    {
        Dictionary(grouping: texts) { String($0.path.first ?? "") }.mapValues { group in
            if let leaf = group.first(where: { $0.path.count == 1 }) { return leaf.text as Any }
            return nest(group.map { ($0.path.dropFirst(), $0.text) }) as Any
        }
    }

    private static let prefix = "study."
}

extension Unicode.Scalar {
    /// True for a scalar in a block of a right-to-left script (UAX #9, default classes R and AL).
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}
