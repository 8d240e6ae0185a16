import Foundation
import PageRendering
import StudyModel
import Underway

/// The values of the learner's settings of scheduling.
struct LearningView {
    struct Number {
        var name: String
        var label: String
        var hint: String?
        /// The effect of the value, before it is saved.
        var price: String?
        var value: String
        var low: Int
        var high: Int
        var error: String?
    }

    struct Switch {
        var name: String
        var label: String
        var hint: String
        var isOn: Bool
    }

    struct Choice {
        var value: Int
        var name: String
        var isChosen: Bool
    }

    struct Day {
        var name: String
        var id: String
        var choices: [Choice]
    }

    struct Own {
        var bank: String
        var title: String
        var language: String?
        var back: String
    }

    /// The subject; `nil` for all.
    var subject: Own?
    /// The hours at which a day ends; a subject has none of its own.
    var hours: [Choice]
    var hasHours: Bool
    var numbers: [Number]
    var switches: [Switch]
    var days: [Day]
    var isChanged: Bool
    /// Whose answers determine the intervals.
    var memory: String

    init(
        _ form: LearningForm, _ screen: LearningScreen, _ formats: StudyFormats,
        wrong: Set<LearningFields.Field> = [], price: RetentionPrice? = nil
    ) {
        let words = formats.words
        subject = screen.subject.map {
            Own(
                bank: $0.id, title: $0.title, language: $0.language, back: "/library/\($0.id)")
        }
        hasHours = screen.subject == nil
        hours = (0...23).map {
            Choice(value: $0, name: formats.hour($0), isChosen: $0 == form.rolloverHour)
        }
        numbers = LearningForm.numbers.compactMap {
            Number(
                $0, form.texts[$0] ?? "", isWrong: wrong.contains($0),
                price: $0 == .retention ? price : nil, formats)
        }
        switches = [
            Switch("repeats", form.repeatsToday, words),
            Switch("backlog", form.newDespiteBacklog, words),
            Switch("spreads", form.spreads, words),
        ]
        if hasHours { switches.append(Switch("optimises", form.optimises, words)) }
        memory = screen.memorySentence(words)
        days = zip(formats.weekdays, form.easyDays).enumerated().map { number, day in
            Day(name: day.0, id: "day-\(number + 1)", choices: Self.choices(day.1, words))
        }
        isChanged = screen.isChanged
    }

    /// Returns the address of the page of a subject; of all subjects for `nil`.
    static func address(_ subject: Subject?) -> String {
        subject.map { "\(LearningPages.path)?bank=\($0.id)" } ?? LearningPages.path
    }

    private static func choices(_ weight: Int, _ words: StudyText) -> [Choice] {
        EasyDays.choices(words).map {
            Choice(value: $0.weight, name: $0.name, isChosen: $0.weight == weight)
        }
    }
}

extension LearningView.Switch {
    fileprivate init(_ name: String, _ isOn: Bool, _ words: StudyText) {
        self.name = name
        label = words["learning.\(name)"]
        hint = words["learning.\(name)Hint"]
        self.isOn = isOn
    }
}

extension LearningView.Number {
    fileprivate init?(
        _ field: LearningFields.Field, _ text: String, isWrong: Bool, price: RetentionPrice?,
        _ formats: StudyFormats
    ) {
        guard let range = LearningFields.ranges[field] else { return nil }
        let words = formats.words
        name = field.rawValue
        label = words[field.labelKey]
        hint = field.hintKey.map { words[$0] }
        value = text
        self.price = price?.sentence(formats)
        // 0 is for never.
        low = field == .lapseLimit ? 0 : range.lowerBound
        high = range.upperBound
        error = isWrong ? field.rangeSentence(formats) : nil
    }
}
