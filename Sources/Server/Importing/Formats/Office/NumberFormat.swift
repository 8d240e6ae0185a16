import Foundation

/// A format of the numbers of a workbook (ECMA-376, part 1, 18.8.30), as far as it changes what an author reads.
enum NumberFormat: Equatable {
    /// The shortest form.
    case general
    case decimals(Int, percent: Bool, groups: Bool)
    case date
    /// Anything else; the number is read as it is stored.
    case other

    /// The format with a built-in id, or of a code.
    init(id: Int, code: String?) {
        if let code {
            self = Self.format(of: code)
            return
        }
        switch id {
        case 1: self = .decimals(0, percent: false, groups: false)
        case 2: self = .decimals(2, percent: false, groups: false)
        case 3, 37, 38: self = .decimals(0, percent: false, groups: true)
        case 4, 39, 40: self = .decimals(2, percent: false, groups: true)
        case 9: self = .decimals(0, percent: true, groups: false)
        case 10: self = .decimals(2, percent: true, groups: false)
        case 14...22, 27...36, 45...47, 50...58: self = .date
        case 11...13, 48: self = .other
        default: self = .general
        }
    }

    private static func format(of code: String) -> NumberFormat {
        let first = code.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        let whole = first.lowercased()
        if whole.isEmpty || whole == "general" || whole == "@" { return .general }
        if let match = whole.wholeMatch(of: Pattern.decimalFormat) {
            return .decimals(
                match.2.map { $0.count - 1 } ?? 0, percent: match.3 != nil,
                groups: match.1.contains(","))
        }
        let plain = whole.replacing(Pattern.quotedInFormat, with: "")
        return plain.contains(where: { "ymdhs".contains($0) }) ? .date : .other
    }

    /// Returns a stored number as the workbook shows it.
    func shown(_ stored: String, from1904: Bool) -> String {
        switch self {
        case .general: ShownNumber(stored)?.shortest ?? stored
        case .decimals(let places, let percent, let groups):
            ShownNumber(stored)?.shown(places: places, percent: percent, groups: groups) ?? stored
        case .date: Self.date(stored, from1904: from1904) ?? stored
        case .other: stored
        }
    }

    /// Returns the date of a count of days, with its time of day if it has one.
    private static func date(_ stored: String, from1904: Bool) -> String? {
        guard let days = Double(stored), days >= 0, days < 2_958_466 else { return nil }
        let seconds = (days * 86_400).rounded()
        let whole = Int(seconds) / 86_400
        let time = Int(seconds) % 86_400
        let clock = String(format: "%02d:%02d:%02d", time / 3_600, time / 60 % 60, time % 60)
        if whole == 0, time > 0 { return clock }
        // Excel's year 1900 has a 29th of February, so its days before March are one later.
        let epoch: Double = from1904 ? -2_082_844_800 : whole < 60 ? -2_209_075_200 : -2_209_161_600
        let day = Date(timeIntervalSince1970: epoch + Double(whole) * 86_400)
        let text = day.formatted(.iso8601.year().month().day())
        return text + (time > 0 ? "T" + clock : "")
    }
}
