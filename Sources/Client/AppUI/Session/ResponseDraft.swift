#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import Underway

/// A response while the learner chooses, orders or types, before it is checked.
struct ResponseDraft: Equatable {
    /// The place of the question in its session.
    let index: Int
    /// The chosen options, or all of them in the learner's order.
    private(set) var optionIDs: [String]
    /// The typed text of a numeric entry.
    var number = ""
    private let type: QuestionType

    /// Begins with the response that the screen has, an ordering with the order that it shows.
    init(_ screen: SessionScreen) {
        index = screen.index
        type = screen.question.type
        optionIDs = screen.response?.optionIDs ?? []
        if type == .ordering, optionIDs.isEmpty { optionIDs = screen.options.map(\.id) }
        if case .number(let number) = screen.response { self.number = number.description }
    }

    /// Chooses an option; of several, a second time takes it back.
    mutating func choose(_ id: String) {
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

    /// Moves options of an ordering, as a list asks for it.
    mutating func move(_ places: IndexSet, to place: Int) {
        let moved = places.filter(optionIDs.indices.contains).map { optionIDs[$0] }
        let before = optionIDs.prefix(place).filter { !moved.contains($0) }
        let after = optionIDs.dropFirst(place).filter { !moved.contains($0) }
        optionIDs = before + moved + after
    }

    /// Moves one option by one place; one at the end stays.
    mutating func move(_ id: String, by step: Int) {
        guard let place = optionIDs.firstIndex(of: id), optionIDs.indices.contains(place + step)
        else { return }
        optionIDs.swapAt(place, place + step)
    }

    /// Returns the response.
    ///
    /// - Throws: `EnteredNumberError` for a text that is no number, or may be two.
    func response(unit: String?) throws -> QuestionResponse {
        guard type == .numericEntry else { return .options(optionIDs) }
        guard !number.trimmingCharacters(in: .whitespaces).isEmpty else { return [] }
        return .number(try DecimalNumber(entered: number, unit: unit))
    }
}
#endif
