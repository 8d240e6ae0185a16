import Foundation

/// The sign that a locale writes before decimals, as the Unicode CLDR has it.
///
/// The table is a part of the program, since the system's own differs from version to version: the same text must
/// be the same number everywhere.
enum DecimalSign: Sendable, Hashable {
    case point
    case comma
    /// Both occur, or the locale is not known.
    case unknown

    /// Finds the sign of a locale by its language and region.
    init(of locale: Locale) {
        let language = locale.language.languageCode?.identifier.lowercased() ?? ""
        self.init(language: language, region: locale.region?.identifier.uppercased() ?? "")
    }

    private init(language: String, region: String) {
        if let regions = Self.byRegion[language] {
            self =
                regions.points.contains(region)
                ? .point : regions.commas.contains(region) ? .comma : regions.others
        } else if Self.pointLanguages.contains(language) {
            self = .point
        } else {
            self = Self.commaLanguages.contains(language) ? .comma : .unknown
        }
    }

    private struct Regions {
        var points: Set<String> = []
        var commas: Set<String> = []
        var others: DecimalSign
    }

    /// The languages whose regions differ.
    private static let byRegion: [String: Regions] = [
        "ar": Regions(
            points: ["AE"], commas: ["DZ", "EH", "LY", "MA", "TN"], others: .unknown),
        "de": Regions(points: ["CH", "LI"], others: .comma),
        "en": Regions(
            commas: ["AT", "BE", "DE", "DK", "FI", "NL", "SE", "SI", "ZA", "150"], others: .point),
        "es": Regions(
            points: [
                "419", "BZ", "CU", "DO", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "SV", "US",
            ],
            commas: [
                "AR", "BO", "CL", "CO", "CR", "EA", "EC", "ES", "GQ", "IC", "PH", "PY", "UY", "VE",
            ], others: .unknown),
        "it": Regions(points: ["CH"], others: .comma),
    ]

    private static let pointLanguages: Set<String> = [
        "am", "bn", "cy", "fil", "ga", "gu", "he", "hi", "ja", "kn", "ko", "ml", "mn", "mr", "ms",
        "mt", "my", "ne", "pa", "si", "sw", "ta", "te", "th", "ur", "yue", "zh",
    ]

    private static let commaLanguages: Set<String> = [
        "az", "be", "bg", "bs", "ca", "cs", "da", "el", "et", "eu", "fi", "fr", "gl", "hr", "hu",
        "hy", "id", "is", "ka", "kk", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro",
        "ru", "sk", "sl", "sq", "sr", "sv", "tr", "uk", "uz", "vi",
    ]
}
