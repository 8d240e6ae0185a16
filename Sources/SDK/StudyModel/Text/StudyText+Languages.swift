import Foundation

extension StudyText {
    /// A language of the study app.
    public struct Language: Hashable, Sendable, Identifiable {
        /// The BCP 47 code, such as `ja`.
        public let code: String
        /// The language's name for itself, such as 日本語.
        public let name: String
        /// The code.
        public var id: String { code }
    }

    /// The languages that have texts, by their own names; English first.
    public static let languages = [
        Language(code: "en", name: "English"), Language(code: "es", name: "Español"),
        Language(code: "de", name: "Deutsch"), Language(code: "ja", name: "日本語"),
        Language(code: "ar", name: "العربية"),
    ]

    /// Returns the code of the best language for a reader; English if none matches.
    ///
    /// Tags are tried in order, each shortened from its end until a language is found: the lookup of RFC 4647, section
    /// 3.4. Only the first 32 tags count: BCP 47, the preferred first, as in `Locale.preferredLanguages`.
    public static func best(for accepted: [String]) -> String {
        for tag in accepted.prefix(32) {
            var subtags = tag.lowercased().split { $0 == "-" || $0 == "_" }
            while !subtags.isEmpty {
                let range = subtags.joined(separator: "-")
                if languages.contains(where: { $0.code == range }) { return range }
                subtags.removeLast()
                if subtags.last?.count == 1 { subtags.removeLast() }
            }
        }
        return "en"
    }

    /// Returns the code of the best language for a browser's `Accept-Language`.
    ///
    /// Ranges are tried by descending weight (RFC 9110, section 12.5.4), equal ones in their order. A weight of 0
    /// excludes its range, and an invalid one counts as 0.
    public static func best(forAcceptLanguage header: String) -> String {
        let ranges = header.split(separator: ",").prefix(32).map { item in
            let parts = item.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
            return (
                tag: parts.first ?? "", weight: weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            )
        }
        let wanted = ranges.filter { $0.weight > 0 && $0.weight <= 1 }.enumerated()
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return best(for: wanted.map(\.element.tag))
    }

    /// The built-in texts: language code, key, text.
    static let builtIn: [String: [String: String]] = [
        "en": table(Translations.en), "es": table(Translations.es), "de": table(Translations.de),
        "ja": table(Translations.ja), "ar": table(Translations.ar),
    ]

    private static func table(_ json: String) -> [String: String] {
        // The tables are part of the program, and a test reads each of them.
        guard let table = try? JSONDecoder().decode([String: String].self, from: Data(json.utf8))
        else {
            preconditionFailure("a built-in table of texts is not a flat JSON object of strings")
        }
        return table
    }

    /// Returns the locale of a tag.
    ///
    /// The region of a tag determines the formats. Without one, the Unicode CLDR's default for the language applies:
    /// for `ar` that is Western digits. English alone means that of Britain, with the day before the month and a clock
    /// of 24 hours, as on the drawn screens.
    static func locale(of tag: String, language: String) -> Locale {
        let locale = Locale(identifier: tag)
        guard locale.language.languageCode?.identifier == language, locale.region != nil else {
            return Locale(identifier: language == "en" ? "en_GB" : language)
        }
        return locale
    }
}
