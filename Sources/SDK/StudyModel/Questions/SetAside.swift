public import Observation
public import Underway

/// The model that sets questions aside, and lets study ask them again.
@MainActor @Observable
public final class SetAsideModel {
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Sets a question aside or lets study ask it again; a question that is so already stays.
    public func set(_ isAside: Bool, _ question: String, of bank: QuestionFilter.Bank) async {
        do {
            try await services.change { store, now in
                if isAside {
                    try store.setAside(question, of: bank, now: now)
                } else if let record = try store.setAsideQuestion(question, of: bank) {
                    try store.askAgain(record, now: now)
                }
            }
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}

extension SetAsideQuestion {
    /// The reason as a sentence.
    public func sentence(_ words: StudyText) -> String {
        reason == .own ? words["aside.own"] : words.count("aside.missed", lapses)
    }
}
