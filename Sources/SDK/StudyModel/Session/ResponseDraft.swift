public import Foundation
public import Underway

/// A response while the learner chooses, orders or types, before it is checked.
///
/// ```swift
/// var draft = ResponseDraft(screen, formats)
/// draft.choose("a")
/// await model.answer(try draft.response, at: draft.index, of: draft.question)
/// ```
///
/// Nothing is graded while a typed text is not a number, or is ambiguous: ``NumberEntryText`` has the sentence and the
/// buttons for the learner.
public struct ResponseDraft: Sendable, Hashable {
    /// The place of the question in its session.
    public let index: Int
    /// The question's id.
    public let question: String
    /// The chosen options, or all of them in the learner's order.
    public private(set) var optionIDs: [String]
    /// The typed text of a numeric entry.
    public var number = ""
    private let type: QuestionType
    private let unit: String?
    private let locale: Locale

    /// Creates a draft with the screen's response, or the shown order of an ordering.
    ///
    /// - Parameters:
    ///   - screen: The question.
    ///   - formats: The language, by which typed numbers are read.
    public init(_ screen: SessionScreen, _ formats: StudyFormats) {
        locale = formats.words.locale
        index = screen.index
        question = screen.question.id
        type = screen.question.type
        unit = screen.unit
        let response = screen.verdict?.response ?? screen.response
        optionIDs = response?.optionIDs ?? []
        if type == .ordering, optionIDs.isEmpty { optionIDs = screen.options.map(\.id) }
        if case .number(let number)? = response { self.number = number.entered(in: locale) }
    }

    /// Chooses an option; in a question with several right options, a second call removes the choice.
    public mutating func choose(_ id: String) {
        guard type == .multiChoice else {
            optionIDs = [id]
            return
        }
        if let chosen = optionIDs.firstIndex(of: id) {
            optionIDs.remove(at: chosen)
        } else {
            optionIDs.append(id)
        }
    }

    /// Moves options of an ordering, with the arguments of a list.
    public mutating func move(_ places: IndexSet, to place: Int) {
        let moved = places.filter(optionIDs.indices.contains).map { optionIDs[$0] }
        let before = optionIDs.prefix(place).filter { !moved.contains($0) }
        let after = optionIDs.dropFirst(place).filter { !moved.contains($0) }
        optionIDs = before + moved + after
    }

    /// Moves one option by one place; one at the end does not move.
    public mutating func move(_ id: String, by step: Int) {
        guard let place = optionIDs.firstIndex(of: id), optionIDs.indices.contains(place + step)
        else { return }
        optionIDs.swapAt(place, place + step)
    }

    /// The response; empty when nothing was chosen or typed.
    ///
    /// - Throws: `EnteredNumberError` for a text that is not a number, or is ambiguous.
    public var response: QuestionResponse {
        get throws(EnteredNumberError) {
            guard type == .numericEntry else { return .options(optionIDs) }
            guard !number.trimmingCharacters(in: .whitespaces).isEmpty else { return [] }
            return .number(try DecimalNumber(entered: number, unit: unit, locale: locale))
        }
    }
}
