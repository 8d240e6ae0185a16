import ContentModel
import OfflineStorage
import QuestionEngine
import StudyModel

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

    /// Fits the intervals to the answers of all banks.
    ///
    /// - Throws: `StudyProblem` if the learner's data cannot be read or written.
    func fitIntervals() async throws {
        let services = StudyServices(
            content: try store.open(), userData: try store.userData.openUserData(making: true),
            appVersion: store.appVersion)
        let model = await LearningModel(services)
        let outcome = await model.optimise()
        if let problem = await model.problem { throw problem }
        let sentence = outcome?.sentence(await services.formats(language: "en"))
        Console.say(
            sentence ?? "Another program fitted them meanwhile.", json: outcome?.json ?? .null)
    }
}

extension ParameterStep.Outcome {
    /// The outcome for programs.
    fileprivate var json: JSONValue {
        switch self {
        case .waiting(let reviewsNeeded): ["reviewsNeeded": .integer(reviewsNeeded)]
        case .fitted(let record, let change):
            ["change": .string(change.rawValue), "reviews": .integer(record.reviews)]
        }
    }
}
