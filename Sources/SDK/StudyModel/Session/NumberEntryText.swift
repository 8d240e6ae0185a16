import Foundation
public import Underway

/// The question or the reason about a typed text that is not a number, or is ambiguous.
public struct NumberEntryText: Sendable, Hashable {
    /// The question or the reason.
    public var sentence: String
    /// The unambiguous texts from which to choose, as typed instead; empty without a choice.
    public var choices: [String]

    /// Creates the texts in a language.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - typed: The typed text.
    ///   - formats: The language.
    public init(_ error: EnteredNumberError, typed: String, _ formats: StudyFormats) {
        let words = formats.words
        choices = error.readings.map { $0.entered(in: words.locale) }
        let example = error.example ?? DecimalNumber("2.5") ?? .zero
        let places = [
            // The text may run in the other direction than the sentence: it stands in an isolate.
            "text": "\u{2068}\(typed.trimmingCharacters(in: .whitespacesAndNewlines))\u{2069}",
            "example": example.entered(in: words.locale), "unit": error.unit ?? "",
            "first": choices.first ?? "", "second": choices.last ?? "",
        ]
        sentence = words.text(Self.key(error), places)
    }

    private static func key(_ error: EnteredNumberError) -> String {
        switch error.doubt {
        case .point: return "session.isPointDecimal"
        case .comma: return "session.isCommaDecimal"
        case .percent: return "session.isPercent"
        case nil: break
        }
        return switch error.code {
        case .emptyNumber: "session.enterFirst"
        case .longNumber: "session.numberTooLong"
        case .numberGroups: "session.numberGroups"
        case .mixedDigits: "session.numberDigits"
        case .otherUnit: error.unit == nil ? "session.numberAlone" : "session.numberUnit"
        case .endlessFraction: "session.numberEndless"
        default: "session.notANumber"
        }
    }
}

/// The verdict on a typed number as text for a learner, for its field.
public struct NumberVerdictText: Sendable, Hashable {
    /// True for a right number.
    public var isRight: Bool
    /// The mark in the field.
    public var mark: String
    /// The sentence with the right number; `nil` beside a right one.
    public var right: String?

    /// Creates the texts in a language; `nil` before the check and for another type of question.
    public init?(_ screen: SessionScreen, _ formats: StudyFormats) {
        guard screen.question.type == .numericEntry, let grade = screen.verdict?.grade else {
            return nil
        }
        let words = formats.words
        isRight = grade.isCorrect
        mark = words[isRight ? "session.yourRightAnswer" : "session.yourAnswer"]
        guard !isRight, let number = grade.correctNumber else { return }
        right = words.text("session.rightNumber", ["answer": formats.text(number)])
    }
}
