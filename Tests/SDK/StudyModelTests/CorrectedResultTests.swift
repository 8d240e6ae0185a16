import Foundation
import StudyModel
import Synchronization
import Testing
import Underway
import UnderwayTesting

/// A key is corrected on the host: what devices of a learner show after their next sync.
@Suite final class CorrectedResultTests {
    private let host: TestReleaseServer
    private let users = TestSyncServer()
    private let network: TestNetwork
    private let clock = TestClock()
    private let bank = StudyDevice.exam
    /// The devices, whose folders go with them.
    private let devices = Mutex<[TestDevice]>([])

    init() throws {
        var content = ReleaseContent.sample
        content[blueprint: "en"]?.levels = [1: "A1", 3: "B1"]
        for index in 1...2 { content[blueprint: "en"]?.questions[index].difficulty = 2 }
        host = try TestReleaseServer(content)
        network = TestNetwork(host, users)
    }

    /// Makes a device that has the content.
    private func device() async throws -> (device: TestDevice, services: StudyServices) {
        let device = try TestDevice(network: network, clock: clock)
        devices.withLock { $0.append(device) }
        let now: @Sendable () -> Date = { [clock] in clock.now }
        let sync = DeviceStudySync(
            content: device.contentSync, store: device.userData, userData: device.userDataSync,
            clock: now)
        await sync.syncNow()
        return (
            device,
            StudyServices(
                content: device.store, userData: device.userData, sync: sync, clock: now)
        )
    }

    /// Ends an exam; the questions of `right` got their right response, all others none.
    private func hand(
        in services: StudyServices, right: Set<String>, wrong: [String: QuestionResponse] = [:]
    ) async throws -> String {
        let id = try await SessionStart(services).begin(bank, .exam)
        let model = await SessionModel(services, id: id)
        await model.load()
        for index in 0..<(await model.screen?.count ?? 0) {
            await model.load(at: index)
            let screen = try #require(await model.screen)
            let question = screen.question
            let given = right.contains(question.id) ? question.correctResponse : wrong[question.id]
            if let given {
                await model.answer(given, at: screen.index)
            } else {
                await model.skip(at: screen.index)
            }
            #expect(await model.problem == nil)
        }
        await model.finish()
        return id
    }

    /// Publishes that red was not the colour of the port side.
    private func correct() throws {
        try host.publish { content in
            guard let old = content[blueprint: "int/harbour"]?.questions[0] else { return }
            content[blueprint: "int/harbour"]?.questions[0].correct = [1]
            content[blueprint: "int/harbour"]?.corrections = [
                GradeCorrection(
                    question: old.id, versions: [old.contentVersion], was: "a", is: "b",
                    day: "2026-05-03")
            ]
        }
        clock.advance(by: .seconds(3600))
    }

    private func today(_ services: StudyServices) async throws -> TodayScreen {
        let model = await TodayModel(services)
        await model.load()
        return try #require(await model.screen)
    }

    @Test func aSyncGradesAgainAndTodayTellsIt() async throws {
        let (device, services) = try await device()
        let id = try await hand(
            in: services, right: ["distress", "course"], wrong: ["lights": ["b"]])
        #expect(try await today(services).corrected == nil)
        try correct()
        await services.sync?.syncNow()
        // Also without a look at Today: what a screen reads is of the corrected grades.
        #expect(try device.userData.progressByDomain().map(\.correct).reduce(0, +) == 3)
        let corrected = try #require(try await today(services).corrected)
        #expect(corrected.id == id)
        #expect(corrected.formerCorrectCount == 2 && corrected.correctCount == 3)
        #expect(corrected.questionCount == 5)

        let result = await ResultModel(services, id: id)
        await result.load()
        let screen = try #require(await result.screen)
        #expect(screen.correctCount == 3 && screen.formerCorrectCount == 2)
        #expect(screen.hasPassed == true && screen.corrected?.number == corrected.number)
        #expect(screen.parts.map(\.correctCount) == [2, 1])
        #expect(try await today(services).corrected == nil)
    }

    @Test func aResultIsToldHoweverManySessionsCameAfterIt() async throws {
        let (_, services) = try await device()
        let id = try await hand(
            in: services, right: ["distress", "course"], wrong: ["lights": ["b"]])
        for _ in 0..<12 {
            clock.advance(by: .seconds(60))
            _ = try await hand(in: services, right: ["mile"])
        }
        try correct()
        await services.sync?.syncNow()
        let corrected = try #require(try await today(services).corrected)
        #expect(corrected.id == id && corrected.correctCount == 3)
        let result = await ResultModel(services, id: id)
        await result.load()
        #expect(try await today(services).corrected == nil)
        // The correction is taken back: the learner hears of that, too, and once.
        try host.publish { content in
            content[blueprint: "int/harbour"]?.corrections = []
        }
        clock.advance(by: .seconds(3600))
        await services.sync?.syncNow()
        let back = try #require(try await today(services).corrected)
        #expect(back.id == id && back.formerCorrectCount == 3 && back.correctCount == 2)
        let again = await ResultModel(services, id: id)
        await again.load()
        #expect(try await today(services).corrected == nil)
    }

    @Test func anotherDeviceThatComesLaterSaysTheSame() async throws {
        let (phone, services) = try await device()
        try await phone.account.upgrade(email: "anne@example.org", password: "correct horse")
        _ = try await hand(in: services, right: ["lights"])
        await services.sync?.syncNow()
        try correct()
        // The tablet gets the answers after the correction, the phone the correction after the answers.
        let (tablet, others) = try await device()
        try await tablet.account.signIn(
            email: "anne@example.org", password: "correct horse", bringing: .nothing)
        await others.sync?.syncNow()
        await services.sync?.syncNow()
        let scheduler = StudyServices.scheduler
        let now = clock.now
        for store in [phone.userData, tablet.userData] {
            #expect(try store.answers(of: bank).map(\.isCorrect) == [false])
            #expect(try store.progressByDomain().map(\.correct) == [0])
        }
        #expect(
            try phone.userData.schedules(of: bank, by: scheduler, now: now)
                == tablet.userData.schedules(of: bank, by: scheduler, now: now))
        // The server has the answer as it was given.
        let status = try phone.userData.status()
        #expect(status.isSynced && status.waitingCount == 0)
    }

    @Test func aSyncOfEverythingSaysWhichResultsChanged() async throws {
        let (device, services) = try await device()
        let id = try await hand(in: services, right: ["lights", "mile"])
        try correct()
        let sync = DeviceSync(
            content: device.contentSync, transport: network, address: TestDevice.contentAddress,
            userData: UserDataAccess(
                openStore: { device.userData }, openAccount: { _, _ in device.account }))
        let result = try await sync.sync(force: true)
        #expect(result.failure == nil && result.userData?.pushed == 2)
        #expect(result.correctedResults.map(\.id) == [id])
        let corrected = try #require(DeviceSyncSummary(result, appVersion: "1").corrected)
        #expect(corrected.map(\.session) == [id] && corrected[0].bank == "int/harbour")
        #expect(corrected[0].formerCorrect == 2 && corrected[0].correct == 1)
        #expect(corrected[0].questions == 5)
        let again = try await sync.sync(force: true)
        #expect(again.correctedResults.isEmpty)
        #expect(DeviceSyncSummary(again, appVersion: "1").corrected == nil)
    }

    @Test func aLevelFollowsTheGradesOfATestThatHasEnded() async throws {
        let (_, services) = try await device()
        let english = StudyDevice.english
        let id = try await SessionStart(services).begin(english, .placement)
        let model = await SessionModel(services, id: id)
        await model.load()
        while let screen = await model.screen, await !model.isOver {
            await model.answer(["b"], at: screen.index)
            await model.load()
        }
        let before = await ResultModel(services, id: id)
        await before.load()
        #expect(await before.problem == nil)
        let outcome = try #require(await before.screen?.placement)
        #expect(outcome.questionCount == 3)
        let level = try #require(outcome.level)
        try host.publish { content in
            let old = content[blueprint: "en"]?.questions ?? []
            for (index, question) in old.enumerated() {
                content[blueprint: "en"]?.questions[index].correct = [1]
                content[blueprint: "en"]?.corrections.append(
                    GradeCorrection(
                        question: question.id, versions: [question.contentVersion], was: "a",
                        is: "b"))
            }
        }
        clock.advance(by: .seconds(3600))
        await services.sync?.syncNow()
        let after = await ResultModel(services, id: id)
        await after.load()
        let screen = try #require(await after.screen)
        let risen = try #require(screen.placement?.level)
        #expect(level == "A1" && risen == "B1" && screen.formerLevel == "A1")
        let formats = StudyFormats(
            words: StudyText(language: "en"), calendar: Calendar(identifier: .gregorian))
        #expect(ResultText(screen, formats).correction == "It was A1")
    }
}
