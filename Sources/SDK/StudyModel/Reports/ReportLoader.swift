import Underway

/// A loader of the questions that a learner can report, and of the reports.
struct ReportLoader {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the standing of a question.
    func reporting(
        _ question: String, of bank: QuestionFilter.Bank
    ) async throws -> Reporting {
        guard services.sendsUserData else { return .unavailable }
        let id = QuestionReport(
            bank: bank.name, question: question, version: "", reason: .other
        ).recordID
        let report = try await services.userData.perform {
            try $0.record(QuestionReport.self, id: id)
        }
        return report == nil ? .open : .reported
    }

    /// Returns the ids of a bank's questions that the learner has reported; `nil` without a server.
    func reported(of bank: QuestionFilter.Bank) async throws -> Set<String>? {
        guard services.sendsUserData else { return nil }
        let reports = try await services.userData.perform { try $0.records(QuestionReport.self) }
        return Set(reports.filter { $0.value.bank == bank.name }.map(\.value.question))
    }

    /// Returns the screen of a question of a session.
    ///
    /// - Throws: ``StudyProblem``; `notFound` without a server or the question, `changed` for a question whose
    ///   right answer is not shown yet.
    func screen(
        session id: String, index: Int, origin: ReportScreen.Origin
    ) async throws -> ReportScreen {
        guard services.sendsUserData, let saved = try await services.userData.savedSession(id: id),
            saved.session.items.indices.contains(index)
        else { throw StudyProblem(.notFound) }
        let item = saved.session.items[index]
        guard isShown(item, saved.session, origin) else { throw StudyProblem(.changed) }
        var screen = ReportScreen(
            session: id, index: index, origin: origin, bank: saved.bank,
            question: try await question(item, saved.bank, origin), isWaiting: false)
        let key = RecordKey(QuestionReport.collection.name, screen.recordID)
        (screen.report, screen.isWaiting) = try await services.userData.perform {
            (
                try $0.record(QuestionReport.self, id: key.id),
                try $0.outbox().contains { $0.operation.key == key }
            )
        }
        return screen
    }

    private func isShown(
        _ item: StudySession.Item, _ session: StudySession, _ origin: ReportScreen.Origin
    ) -> Bool {
        switch origin {
        case .question: session.mode == .study && item.answer != nil
        case .review: session.state == .finished
        }
    }

    /// Returns the question in the version that the learner saw: a review shows the present one.
    private func question(
        _ item: StudySession.Item, _ bank: QuestionFilter.Bank, _ origin: ReportScreen.Origin
    ) async throws -> Question {
        func isSeen(_ question: Question) -> Bool {
            question.id == item.questionID
                && (origin == .review || question.contentVersion == item.contentVersion)
        }
        let present = try await services.content.perform { try $0.blueprint(bank).value }
        if let question = present.questions.first(where: isSeen) { return question }
        let former = try await services.content.perform { try $0.formerBlueprint(bank) }
        guard origin == .question, let question = former?.questions.first(where: isSeen) else {
            throw StudyProblem(.notFound)
        }
        return question
    }
}
