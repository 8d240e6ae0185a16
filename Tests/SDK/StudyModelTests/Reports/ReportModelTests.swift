import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@Suite struct ReportModelTests {
    private let draft = ReportDraft(reason: .wrongKey, text: "B, too.\r\n")

    @Test func aReportNamesTheVersionThatWasShownAndReachesTheServer() async throws {
        let fixture = try await ReportFixture()
        #expect(await fixture.session.screen?.reporting == .open)
        let model = await fixture.session.report(at: 0)

        await model.send(draft)

        let question = fixture.question
        let expected = QuestionReport(
            bank: "int/harbour", question: question.id, version: question.contentVersion,
            reason: .wrongKey, text: "B, too.")
        #expect(await model.outcome == .stored(former: nil))
        #expect(await model.problem == nil)
        #expect(try await fixture.report() == expected)
        #expect(await model.screen?.isWaiting == true)
        await fixture.session.load(at: 0)
        #expect(await fixture.session.screen?.reporting == .reported)
        await fixture.study.services.sync?.syncNow()
        await model.load()
        #expect(await model.screen?.isWaiting == false)
        #expect(fixture.study.users.records(QuestionReport.self).map(\.value) == [expected])
    }

    @Test func aSecondReportReplacesTheFirstAndCanBeUndone() async throws {
        let fixture = try await ReportFixture()
        let model = await fixture.session.report(at: 0)
        await model.send(draft)
        let first = try #require(try await fixture.report())

        await model.send(ReportDraft(reason: .unclear))

        #expect(await model.outcome == .stored(former: first))
        #expect(try await fixture.report()?.reason == .unclear)
        await model.send(ReportDraft(reason: .unclear, text: "\n"))
        #expect(await model.outcome == .unchanged)
        await model.restore(first)
        #expect(try await fixture.report() == first)
        await model.restore(nil)
        #expect(try await fixture.report() == nil)
    }

    @Test func aReportIsTakenBackAndBroughtBack() async throws {
        let fixture = try await ReportFixture()
        let model = await fixture.session.report(at: 0)
        await model.send(draft)
        let report = try #require(try await fixture.report())

        await model.takeBack()
        #expect(await model.outcome == .takenBack(report))
        #expect(await model.screen?.report == nil)
        #expect(try await fixture.report() == nil)
        await model.takeBack()
        #expect(await model.outcome == .unchanged)

        await model.restore(report)
        #expect(await model.outcome == .restored)
        #expect(try await fixture.report() == report)
    }

    @Test func aRefusedDraftStoresNothing() async throws {
        let fixture = try await ReportFixture()
        let model = await fixture.session.report(at: 0)

        await model.send(ReportDraft(text: "x"))

        #expect(await model.refusal == .noReason)
        #expect(await model.outcome == nil)
        #expect(await model.screen != nil)
        #expect(try await fixture.report() == nil)
    }

    @Test func theReportOfAnotherQuestionIsNotRestoredHere() async throws {
        let fixture = try await ReportFixture()
        let model = await fixture.session.report(at: 0)
        let other = QuestionReport(bank: "en", question: "x", version: "1", reason: .other)

        await model.restore(other)

        #expect(await model.problem?.code == .notFound)
        #expect(try fixture.userData.records(QuestionReport.self).isEmpty)
    }

    @Test func newReportsOfADayHaveABoundAndChangesDoNotCount() async throws {
        let fixture = try await ReportFixture()
        let now = fixture.now
        try await fixture.study.services.settings.change { settings in
            settings.reportTimes = (1..<ReportLimit.reportsMax).map { now - Double($0) }
        }
        let model = await fixture.session.report(at: 0)
        await model.send(draft)
        #expect(await model.refusal == nil)
        await model.send(ReportDraft(reason: .media))
        #expect(await model.refusal == nil)
        await model.takeBack()

        await model.send(draft)
        #expect(await model.refusal == .tooMany)
        #expect(try await fixture.report() == nil)

        fixture.study.device.clock.advance(by: .seconds(86_400))
        await model.send(draft)
        #expect(await model.refusal == nil)
    }

    @Test func timesOfAClockThatWasWrongDoNotCount() {
        let now = Date(timeIntervalSince1970: 1_000_000)
        let times = [now - 86_400, now - 1, now, now + 1]
        #expect(ReportLimit.counted(times, now: now) == [now - 1, now])
    }

    @Test(arguments: [SessionMode.exam, .placement])
    func aQuestionWhoseKeyIsHiddenCannotBeReported(mode: SessionMode) async throws {
        let study = try await StudyDevice()
        let bank = mode == .exam ? StudyDevice.exam : StudyDevice.english
        let id = try await SessionStart(study.services).begin(bank, mode, ratesAnswers: false)
        for origin in [ReportScreen.Origin.question, .review] {
            let model = await ReportModel(study.services, session: id, index: 0, origin: origin)
            await model.send(draft)
            #expect(await model.problem?.code == .changed)
        }
    }

    @Test func aReviewOffersEachQuestionOfAnEndedExam() async throws {
        let fixture = try await ReportFixture(.exam)
        await fixture.session.finish()
        let result = await ResultModel(fixture.study.services, id: fixture.session.id)
        await result.load()
        let reviewed = try #require(await result.screen?.reviewed.last)
        #expect(await result.screen?.reporting(reviewed) == .open)

        await result.report(reviewed).send(draft)

        await result.load()
        #expect(await result.screen?.reporting(reviewed) == .reported)
        #expect(try await fixture.report()?.question == reviewed.id)
    }

    @Test func withoutAServerNobodyWouldReceiveAReport() async throws {
        let fixture = try await ReportFixture()
        var services = fixture.study.services
        services.sync = nil
        let session = await SessionModel(services, id: fixture.session.id)
        await session.load(at: 0)
        #expect(await session.screen?.reporting == .unavailable)
        let model = await session.report(at: 0)

        await model.send(draft)

        #expect(await model.problem?.code == .notFound)
        #expect(try await fixture.report() == nil)
    }

    @Test(arguments: [-1, 99])
    func aPlaceThatDoesNotExistIsNotFound(index: Int) async throws {
        let model = try await ReportFixture().session.report(at: index)
        await model.load()
        #expect(await model.problem?.code == .notFound)
    }

    @Test func everyReasonHasAName() async throws {
        let fixture = try await ReportFixture()
        let model = await fixture.session.report(at: 0)
        await model.send(draft)
        let screen = try #require(await model.screen)
        for code in StudyText.languages.map(\.code) {
            let formats = await fixture.study.services.formats(language: code)
            let words = ReportText(screen, formats, refusal: .tooMany)
            #expect(Set(words.reasons.map(\.title)).count == QuestionReport.Reason.allCases.count)
            #expect(words.said == words.reasons[0].title)
            #expect(words.refusal?.contains(formats.number(30)) == true)
        }
    }
}
