import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// A session of a device with a server, whose first question was answered.
struct ReportFixture {
    let study: StudyDevice
    let session: SessionModel
    /// The question that was answered.
    let question: Question

    init(_ mode: SessionMode = .study) async throws {
        study = try await StudyDevice()
        let id = try await SessionStart(study.services).begin(
            StudyDevice.exam, mode, ratesAnswers: false)
        session = await SessionModel(study.services, id: id)
        await session.load()
        let screen = try #require(await session.screen)
        question = screen.question
        let response: QuestionResponse =
            switch question.type {
            case .numericEntry: .number(.zero)
            case .ordering: .options(screen.options.map(\.id))
            case .singleChoice, .multiChoice, .codeSnippet: .options([screen.options[0].id])
            }
        await session.answer(response, at: 0)
    }

    var userData: UserStore { study.device.userData }
    var now: Date { study.device.clock.now }

    /// Returns the report that is stored, if any.
    func report() async throws -> QuestionReport? {
        let all = try userData.records(QuestionReport.self)
        #expect(all.count <= 1)
        return all.first?.value
    }
}
