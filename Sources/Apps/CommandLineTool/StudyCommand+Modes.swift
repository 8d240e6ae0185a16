import ContentModel
import QuestionEngine

extension StudyCommand {
    /// Returns the mode: the requested one, or the usual one of the bank.
    func mode(for blueprint: Blueprint) -> SessionMode {
        mode?.session ?? blueprint.usualMode
    }

    /// Rejects options that would have no effect in a mode.
    func checkEffects(in mode: SessionMode) throws {
        let given: [(option: String, isGiven: Bool, modes: [SessionMode])] = [
            ("--limit", limit != nil, [.study, .exam]), ("--new", newCards != nil, [.study]),
            ("--deadline", deadline != nil, [.study]), ("--practise", practise != nil, [.study]),
            ("--domain", !domain.isEmpty, [.study, .exam]),
            ("--difficulty", !difficulty.isEmpty, [.study, .exam]),
            ("--tag", !tag.isEmpty, [.study, .exam]),
        ]
        guard
            let (option, _, modes) = given.first(where: { $0.isGiven && !$0.modes.contains(mode) })
        else { return }
        let others = modes.map { "--mode \($0.rawValue)" }.joined(separator: " or ")
        throw CommandFailure(
            .usage,
            "\(option) has no effect with --mode \(mode.rawValue)"
                + (self.mode == nil ? ", which is the usual one of \(bank)" : "")
                + ". Leave it out, or choose \(others).")
    }
}
