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
