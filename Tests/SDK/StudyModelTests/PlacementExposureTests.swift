import StudyModel
import Testing
import Underway
import UnderwayTesting

/// Whoever has seen a question before tells little about its key: the answer of a placement test says so.
@Suite struct PlacementExposureTests {
    @Test func aStudiedQuestionIsNoFirstSightInAPlacementTest() async throws {
        let study = try await StudyDevice()
        let bank = StudyDevice.english
        let studied = try await answered(study, .study)
        #expect(!studied.isEmpty)

        _ = try await answered(study, .placement)

        let placed = try study.device.userData.answers(of: bank)
            .filter { $0.mode == .placement }
        #expect(!placed.isEmpty)
        for answer in placed {
            let expected = studied.contains(answer.questionID) ? 1 : 0
            #expect(answer.exposuresBefore == expected, "\(answer.questionID)")
        }
        #expect(placed.contains { $0.exposuresBefore == 1 })
    }

    /// Answers a whole session; returns the questions.
    private func answered(_ study: StudyDevice, _ mode: SessionMode) async throws -> Set<String> {
        let id = try await SessionStart(study.services).begin(StudyDevice.english, mode)
        let model = await SessionModel(study.services, id: id)
        await model.load()
        var asked: Set<String> = []
        for _ in 0..<50 {
            guard await !model.isOver, let screen = await model.screen else { break }
            asked.insert(screen.question.id)
            await model.answer(screen.question.correctResponse, at: screen.index)
            #expect(await model.problem == nil)
            await model.load()
        }
        return asked
    }
}
