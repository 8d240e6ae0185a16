import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// The clip of a question on a screen: its title, and whether it can be played without a connection.
@Suite struct QuestionClipTests {
    private let server: TestReleaseServer
    private let device: TestDevice

    init() throws {
        server = try TestReleaseServer(ReleaseContent())
        device = try TestDevice(network: server)
    }

    private var services: StudyServices {
        let clock = device.clock
        return StudyServices(
            content: device.store, userData: device.userData, clock: { clock.now })
    }

    private func publish(_ audio: QuestionAudio, of bank: String) async throws {
        var question = Question.sampleSingleChoice
        question.audio = audio
        var content = StudyDevice.content
        content.media["int/harbour"]?["bell.mp3"] = StudyDevice.bell
        question.domain = content[blueprint: bank]?.questions.first?.domain
        content[blueprint: bank]?.questions = [question]
        try server.publish(content)
        await device.contentSync.sync()
    }

    private func session(_ bank: QuestionFilter.Bank) async throws -> SessionModel {
        let id = try await SessionStart(services).begin(bank, .study)
        let model = await SessionModel(services, id: id)
        await model.load()
        return model
    }

    @Test(arguments: [
        (StudyDevice.exam, FileGroup.media(exam: "int/harbour")),
        (StudyDevice.english, .audio(language: "en")),
    ])
    func itPlaysOnceItIsOnTheDevice(bank: QuestionFilter.Bank, group: FileGroup) async throws {
        try await publish(QuestionAudio(file: "bell.mp3", title: "A signal"), of: bank.name)
        let model = try await session(bank)
        let clip = try #require(await model.screen?.clip)
        #expect(clip.title == "A signal" && !clip.isOnDevice)
        #expect(await model.clip() == nil)

        _ = try await device.contentSync.files(group, purpose: .content)
        await model.load()

        #expect(await model.screen?.clip?.isOnDevice == true)
        #expect(await model.screen?.images == [:])
        #expect(await model.clip() == StudyDevice.bell)
        let question = await QuestionModel(services, id: "lights", of: bank)
        await question.load()
        #expect(await question.screen?.clip == model.screen?.clip)
    }

    @Test func aClipThatTheReleaseLacksIsNone() async throws {
        try await publish(QuestionAudio(file: "lost.mp3"), of: "int/harbour")
        #expect(try await session(StudyDevice.exam).screen?.clip == nil)
    }

    @Test func withoutATitleThePlayerHasTheWordOfTheInterface() async throws {
        try await publish(QuestionAudio(file: "bell.mp3", title: ""), of: "int/harbour")
        let clip = try #require(try await session(StudyDevice.exam).screen?.clip)
        #expect(clip.shownTitle(StudyText(language: "en")) == "Audio of the question")
    }

    @Test func theListOfASubjectHasTheTitlesOfItsQuestions() async throws {
        try await publish(QuestionAudio(file: "bell.mp3", title: "A signal"), of: "int/harbour")
        let model = SubjectFilesModel(services, bank: StudyDevice.exam)
        await model.load()
        let files = try #require(await model.files)
        #expect(files.titles == ["bell.mp3": "A signal"])
        #expect(files.kind == .picturesAndAudio)
    }
}
