import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// New content that arrives in the middle of a session.
@Suite struct SessionContentTests {
    private let server: TestReleaseServer
    private let device: TestDevice
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "rules")

    init() throws {
        server = try TestReleaseServer(ReleaseContent(blueprints: [.rules(questions: 6)]))
        device = try TestDevice(network: server)
    }

    private var services: StudyServices {
        let clock = device.clock
        return StudyServices(
            content: device.store, userData: device.userData, clock: { clock.now })
    }

    @Test(arguments: [SessionMode.study, .exam])
    func itWaitsForTheNextSession(mode: SessionMode) async throws {
        await device.contentSync.sync()
        let id = try await SessionStart(services).begin(bank, mode)
        let model = await SessionModel(services, id: id)
        await model.load()
        let before = try #require(await model.screen)
        #expect(before.count > 3)
        try server.publish { content in
            guard var blueprint = content[blueprint: "int/rules"] else { return }
            for index in blueprint.questions.indices { blueprint.questions[index].stem += " New." }
            content[blueprint: "int/rules"] = blueprint
        }
        await device.contentSync.sync(force: true)
        for index in 0..<before.count {
            await model.load(at: index)
            let screen = try #require(await model.screen)
            #expect(screen.index == index && !screen.question.stem.hasSuffix("New."))
            if index == 0 { #expect(screen.question == before.question) }
            let first = try #require(screen.options.first)
            await model.answer(.options([first.id]), at: index)
            #expect(await model.problem == nil)
        }
        await model.finish()
        #expect(try device.userData.answers(of: bank).count == before.count)
        let next = await SessionModel(
            services, id: try await SessionStart(services).begin(bank, .exam))
        await next.load()
        #expect(try #require(await next.screen).question.stem.hasSuffix("New."))
    }

    @Test func aPictureIsShownOnceItIsOnTheDevice() async throws {
        var question = Question.sampleSingleChoice
        question.image = "bell.png"
        var content = StudyDevice.content
        content[blueprint: "int/harbour"]?.questions = [question]
        try server.publish(content)
        await device.contentSync.sync()
        let id = try await SessionStart(services).begin(StudyDevice.exam, .study)
        let model = await SessionModel(services, id: id)
        await model.load()
        #expect(await model.picture("bell.png") == nil)
        _ = try await device.contentSync.files(.media(exam: "int/harbour"), purpose: .content)
        #expect(await model.picture("bell.png") == StudyDevice.bell)
        #expect(await model.picture("buoy.svg") == nil)
    }
}
