public import Foundation
public import Underway

extension StudyFormats {
    /// Returns the day of an exam, with the time if it is known; an invalid date as its text.
    public func text(_ date: ExamDate, now: Date) -> String {
        guard let start = date.start(in: calendar.timeZone) else { return date.text }
        return date.isDay ? self.date(start, now: now) : dateAndTime(start, now: now)
    }

    /// Returns the sentence about the age of content; for a bundle, it states the origin.
    public func age(of content: ContentFreshness?, now: Date) -> String {
        guard let content else { return words["freshness.empty"] }
        return content.source == .bundled
            ? words["freshness.bundled"]
            : sentence("freshness.updated", content.installedAt, now: now)
    }

    /// Returns a region's name; its code if it has none.
    public func region(_ code: String) -> String {
        guard code != "int" else { return words["library.international"] }
        return words.locale.localizedString(forRegionCode: code) ?? code
    }
}

extension StudyFormats {
    /// Returns a right number in local notation: `9,81 ± 0,01 m/s²` with a decimal comma.
    public func text(_ key: NumericKey) -> String {
        var bare = key
        bare.unit = nil
        let usesComma = DecimalNumber("0.5")?.entered(in: words.locale).contains(",") ?? false
        let numbers = usesComma ? bare.text.replacing(".", with: ",") : bare.text
        return key.unit.map { "\(numbers) \($0)" } ?? numbers
    }
}
