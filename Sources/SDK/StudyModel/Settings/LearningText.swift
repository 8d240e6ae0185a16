import Foundation
public import Underway

extension RetentionPrice {
    /// The price as a sentence.
    public func sentence(_ formats: StudyFormats) -> String {
        formats.words.text(
            "learning.price",
            [
                "percent": formats.percent(retention), "due": formats.number(dueCount),
                "present": formats.number(presentCount),
            ])
    }
}

extension ParameterStep.Outcome {
    /// The outcome as a sentence.
    public func sentence(_ formats: StudyFormats) -> String {
        switch self {
        // A requested step does not wait for days.
        case .waiting(let reviewsNeeded):
            formats.words.count("learning.optimiseNeeds", reviewsNeeded)
        case .fitted(_, .none): formats.words["learning.optimiseKept"]
        case .fitted(_, .adopted): formats.words["learning.memoryOwn"]
        case .fitted(_, .dropped): formats.words["learning.memoryStandard"]
        }
    }
}

extension LearningScreen {
    /// The sentence that says whose answers determine the intervals.
    public func memorySentence(_ words: StudyText) -> String {
        words[hasOwnMemory ? "learning.memoryOwn" : "learning.memoryStandard"]
    }
}

extension LearningFields.Field {
    /// The key of the name of a number.
    public var labelKey: String {
        self == .newPerDay ? "settings.newPerDay" : "learning.\(rawValue)"
    }

    /// The key of the sentence that explains a number; `nil` for those that need none.
    public var hintKey: String? {
        self == .retention || self == .lapseLimit ? "learning.\(rawValue)Hint" : nil
    }

    /// Returns the range of a number as a sentence.
    public func rangeSentence(_ formats: StudyFormats) -> String? {
        LearningFields.ranges[self].map {
            formats.words.text(
                "learning.outOfRange",
                ["low": formats.number($0.lowerBound), "high": formats.number($0.upperBound)])
        }
    }
}

extension EasyDays {
    /// Returns the weights that a day can have, the normal one first, with their names.
    public static func choices(_ words: StudyText) -> [(weight: Int, name: String)] {
        zip(choices, ["learning.dayNone", "learning.dayFew", "learning.dayNormal"])
            .map { ($0, words[$1]) }.reversed()
    }
}

extension StudyFormats {
    /// Returns an hour of the day: "04:00".
    public func hour(_ hour: Int) -> String {
        let style = Date.FormatStyle(locale: words.locale, timeZone: .gmt).hour().minute()
        return Date(timeIntervalSince1970: Double(hour) * 3600).formatted(style)
    }

    /// The days of the week from Monday.
    public var weekdays: [String] {
        let fromSunday = calendar.standaloneWeekdaySymbols
        return Array(fromSunday.dropFirst() + fromSunday.prefix(1))
    }
}
