import OfflineStorage
import QuestionEngine

extension StudyCommand {
    /// Changes the settings of a bank, or without one those of all banks.
    ///
    /// - Throws: `CommandFailure` `notFound` for a bank that the device does not have, which may be mistyped.
    func changeSettings() throws {
        if !bank.isEmpty { _ = try blueprint(in: store.open()) }
        let id = bank.isEmpty ? LearningFields.allBanks : wanted.name
        let userData = try store.userData.openUserData(making: true)
        let present = try userData.record(LearningFields.self, id: id) ?? LearningFields()
        let fields = try LearningChange.fields(set, changing: present, ofAllBanks: bank.isEmpty)
        try userData.put(fields, id: id)
        guard !json else { return try Console.say(result: fields) }
        let given = try LearningChange.arguments(fields).joined(separator: " ")
        let own =
            given.isEmpty ? "" : "Settings of \(bank.isEmpty ? "all banks" : bank): \(given). "
        let (every, others) =
            bank.isEmpty
            ? ("Every setting is the default.", "The others are the defaults.")
            : ("\(bank) has the settings of all banks.", "The others are those of all banks.")
        Console.say(own.isEmpty ? every : own + others)
    }
}
