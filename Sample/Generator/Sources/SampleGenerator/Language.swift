import Foundation

/// The words of a language, as the locale data has them.
struct Language {
    let code: String
    let locale: Locale

    init(_ code: String) {
        self.code = code
        locale = Locale(identifier: code)
    }

    static let all = codes.map(Language.init)

    /// Languages whose locale data is complete enough for forty true questions.
    static let codes = [
        "ar", "az", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr",
        "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "ko", "lt", "lv", "ms", "nb",
        "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "sw", "th", "tr", "uk", "vi", "zh",
    ]

    /// The language's own name for itself.
    var ownName: String { locale.localizedString(forLanguageCode: code) ?? code }

    private var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.calendar = Calendar(identifier: .gregorian)
        return formatter
    }

    /// From Sunday.
    var weekdays: [String] { formatter.standaloneWeekdaySymbols.map(\.clean) }

    /// From January.
    var months: [String] { formatter.standaloneMonthSymbols.map(\.clean) }

    func region(_ code: String) -> String? { locale.localizedString(forRegionCode: code)?.clean }

    func languageName(_ code: String) -> String? {
        locale.localizedString(forLanguageCode: code)?.clean
    }

    func currency(_ code: String) -> String? {
        locale.localizedString(forCurrencyCode: code)?.clean
    }

    /// A number in words; `nil` where the data has none or is known to be wrong.
    func spelled(_ number: Int) -> String? {
        let formatter = NumberFormatter()
        formatter.locale = locale
        formatter.numberStyle = .spellOut
        // In the data of this release the Icelandic word for seven is misspelt.
        if code == "is", "\(number)".contains("7") { return nil }
        guard let text = formatter.string(from: NSNumber(value: number))?.clean,
            !text.contains(where: \.isNumber)
        else { return nil }
        if code != "en", text == Language("en").spelled(number) { return nil }
        return text
    }

    /// A number of units with the plural form that the language asks for.
    func duration(_ count: Int, _ unit: TimeUnit) -> String {
        Duration.seconds(count * unit.seconds)
            .formatted(.units(allowed: [unit.unit], width: .wide).locale(locale)).clean
    }
}

/// A unit of time.
enum TimeUnit: CaseIterable {
    case minute
    case hour
    case day
    case week

    var seconds: Int {
        switch self {
        case .minute: 60
        case .hour: 3600
        case .day: 86_400
        case .week: 604_800
        }
    }

    var unit: Duration.UnitsFormatStyle.Unit {
        switch self {
        case .minute: .minutes
        case .hour: .hours
        case .day: .days
        case .week: .weeks
        }
    }
}

extension String {
    /// Without soft hyphens, zero-width spaces and direction marks, which no learner sees.
    var clean: String {
        let hidden: Set<Unicode.Scalar> = ["\u{AD}", "\u{200B}", "\u{200E}", "\u{200F}"]
        return String(String.UnicodeScalarView(unicodeScalars.filter { !hidden.contains($0) }))
            .replacingOccurrences(of: "\u{A0}", with: " ")
    }
}
