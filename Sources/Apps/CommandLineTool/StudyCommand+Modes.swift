import ContentModel
import QuestionEngine

extension StudyCommand {
    /// The given options that choose questions, with the modes in which they have an effect.
    private var wishedOptions: [(option: String, modes: [SessionMode])] {
        let options: [(option: String, isGiven: Bool, modes: [SessionMode])] = [
            ("--limit", limit != nil, [.study, .exam]), ("--new", newCards != nil, [.study]),
            ("--deadline", deadline != nil, [.study]), ("--practise", practise != nil, [.study]),
            ("--domain", !domain.isEmpty, [.study, .exam]),
            ("--difficulty", !difficulty.isEmpty, [.study, .exam]),
            ("--tag", !tag.isEmpty, [.study, .exam]),
        ]
        return options.filter(\.isGiven).map { ($0.option, $0.modes) }
    }

    /// The given options of a session, of a check and of the browser.
    var optionsBesideBank: [String] {
        let others = [
            ("--mode", mode != nil), ("--fresh", fresh), ("--verify-schedules", verifySchedules),
            ("--web", web),
        ]
        return wishedOptions.map(\.option) + others.filter(\.1).map(\.0)
    }

    /// Returns the mode: the requested one, or the usual one of the bank.
    func mode(for blueprint: Blueprint) -> SessionMode {
        mode?.session ?? blueprint.usualMode
    }

    /// Rejects options that would have no effect in a mode.
    func checkEffects(in mode: SessionMode) throws {
        guard let (option, modes) = wishedOptions.first(where: { !$0.modes.contains(mode) })
        else { return }
        let others = modes.map { "--mode \($0.rawValue)" }.joined(separator: " or ")
        throw CommandFailure(
            .usage,
            "\(option) has no effect with --mode \(mode.rawValue)"
                + (self.mode == nil ? ", which is the usual one of \(bank)" : "")
                + ". Leave it out, or choose \(others).")
    }
}
