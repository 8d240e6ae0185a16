import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@Suite struct ConsentModelTests {
    private func stored(_ fixture: ReportFixture) async throws -> Bool? {
        try fixture.userData.record(
            ConsentRecord.self, id: Consent.answerAnalysis.rawValue)?.isGiven
    }

    /// Ends a session, and loads its result with the question.
    private func ended(_ fixture: ReportFixture) async throws -> ResultModel {
        await fixture.session.finish()
        let result = await ResultModel(fixture.study.services, id: fixture.session.id)
        await result.load()
        await result.consent.load(after: try #require(await result.screen))
        return result
    }

    @Test func oneResultAsksUntilItIsAnsweredAndNoOtherOne() async throws {
        let fixture = try await ReportFixture()
        let result = try await ended(fixture)
        #expect(await result.consent.screen == ConsentScreen(isGiven: nil, isAsked: true))
        // The same page again asks again.
        await result.consent.load(after: try #require(await result.screen))
        #expect(await result.consent.screen?.isAsked == true)
        #expect(try await stored(fixture) == nil)

        var other = try #require(await result.screen)
        other.id = "another"
        await result.consent.load(after: other)
        #expect(await result.consent.screen?.isAsked == false)
    }

    @Test(arguments: [true, false])
    func anAnswerIsStoredAndEndsTheQuestion(isGiven: Bool) async throws {
        let fixture = try await ReportFixture()
        let result = try await ended(fixture)

        await result.consent.answer(isGiven)

        #expect(try await stored(fixture) == isGiven)
        #expect(await result.consent.former == nil)
        await result.consent.load(after: try #require(await result.screen))
        #expect(await result.consent.screen == ConsentScreen(isGiven: isGiven, isAsked: false))
        await fixture.study.services.sync?.syncNow()
        #expect(
            fixture.study.users.records(ConsentRecord.self).map(\.value.isGiven) == [isGiven])
        await result.consent.restore(nil)
        #expect(try await stored(fixture) == nil)
    }

    @Test func consentIsTakenBackInTheSettings() async throws {
        let fixture = try await ReportFixture()
        let settings = await SettingsModel(fixture.study.services)
        await settings.consent.answer(true)
        #expect(try await stored(fixture) == true)

        await settings.consent.answer(false)

        #expect(await settings.consent.former == true)
        #expect(try await stored(fixture) == false)
    }

    @Test func theSameAnswerAgainSendsNothing() async throws {
        let fixture = try await ReportFixture()
        let model = await ConsentModel(fixture.study.services)
        await model.answer(true)
        await fixture.study.services.sync?.syncNow()

        await model.answer(true)

        #expect(try fixture.userData.status().waitingCount == 0)
    }

    @Test func aSessionWithoutAnAnswerAsksNothing() async throws {
        let study = try await StudyDevice()
        let id = try await SessionStart(study.services).begin(
            StudyDevice.exam, .exam, ratesAnswers: false)
        await SessionModel(study.services, id: id).finish()
        let result = await ResultModel(study.services, id: id)
        await result.load()

        await result.consent.load(after: try #require(await result.screen))

        #expect(await result.consent.screen?.isAsked == false)
        #expect(await study.services.settings.value.consentAskedAfter == nil)
    }

    @Test func aDeviceThatCannotRememberThatItAskedDoesNotAsk() async throws {
        let fixture = try await ReportFixture()
        let result = try await ended(fixture)
        var services = fixture.study.services
        services.settings = DeviceFile(
            URL(fileURLWithPath: "/nonexistent/settings.json"), initial: StudySettings())
        let model = await ConsentModel(services)

        await model.load(after: try #require(await result.screen))

        #expect(await model.screen?.isAsked == false)
        #expect(await model.problem == nil)
    }

    @Test func withoutAServerThereIsNothingToConsentTo() async throws {
        let fixture = try await ReportFixture()
        var services = fixture.study.services
        services.sync = nil
        let model = await ConsentModel(services)

        await model.answer(true)

        #expect(await model.screen == nil)
        #expect(await model.problem?.code == .notFound)
        #expect(try await stored(fixture) == nil)
    }

    @Test func choicesOfTheSettingsKeepWhatTheAppNoted() {
        var settings = StudySettings()
        settings.reportTimes = [Date(timeIntervalSince1970: 1)]
        settings.consentAskedAfter = "s1"
        settings.seenResults = ["s1": 2]
        var choices = StudySettings()
        choices.theme = .dark

        settings.choose(choices)

        #expect(settings.theme == .dark && settings.reportTimes.count == 1)
        #expect(settings.consentAskedAfter == "s1" && settings.seenResults == ["s1": 2])
    }
}
