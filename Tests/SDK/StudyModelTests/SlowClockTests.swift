import Foundation
import StudyModel
import Testing
import Underway
import UnderwayTesting

/// A learner with a phone whose clock is right, and a tablet whose clock is behind.
@Suite struct SlowClockTests {
    /// A server that says the time, as every web server does.
    private struct Clockwork: TestHost {
        let server: TestSyncServer
        let clock: TestClock

        func reply(to request: TransportRequest) -> TestReply? {
            var reply = server.reply(to: request)
            reply?.headers["date"] = Self.text(clock.now)
            return reply
        }

        /// Returns a time as HTTP writes it (RFC 9110, 5.6.7).
        private static func text(_ date: Date) -> String {
            let style = Date.VerbatimFormatStyle(
                format: """
                    \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \
                    \(year: .padded(4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
                    \(minute: .twoDigits):\(second: .twoDigits) GMT
                    """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
                calendar: Calendar(identifier: .gregorian))
            return date.formatted(style)
        }
    }

    private static let bank = ProgressFixture.bank
    private let clock = TestClock()
    private let phone: TestDevice
    private let tablet: TestDevice
    private let content: OfflineStore

    /// Signs both in, with a clock of the tablet that is behind by some days.
    private init(behind days: Double) async throws {
        let server = TestSyncServer(clock: clock)
        let (email, password) = ("anne@example.org", "correct horse")
        server.addAccount(email: email, password: password)
        let network = Clockwork(server: server, clock: clock)
        phone = try TestDevice(network: network, clock: clock)
        tablet = try TestDevice(
            network: network, clock: TestClock(clock.now - days * ProgressFixture.day))
        content = try OfflineStore.inMemory(blueprints: [.rules(questions: 90)], appVersion: "1")
        for device in [phone, tablet] {
            try await device.account.signIn(email: email, password: password, bringing: .nothing)
        }
    }

    init() async throws { try await self.init(behind: 2) }

    private func services(_ device: TestDevice) -> StudyServices {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return StudyServices(
            content: content, userData: device.userData, clock: { device.clock.now },
            calendar: calendar)
    }

    private func pass(_ seconds: Double) {
        clock.advance(by: .seconds(seconds))
        tablet.clock.advance(by: .seconds(seconds))
    }

    private func sync() async {
        for device in [phone, tablet, phone] {
            pass(60)
            _ = await device.userDataSync.sync()
        }
    }

    private func today(_ device: TestDevice) async throws -> TodayScreen {
        let model = await TodayModel(services(device))
        await model.load()
        if let problem = await model.problem { throw problem }
        return try #require(await model.screen)
    }

    /// Takes sessions until nothing is due, all right, and returns the questions.
    private func study(_ device: TestDevice) async throws -> [String] {
        let services = services(device)
        var asked: [String] = []
        while let id = try? await SessionStart(services).begin(Self.bank, .study) {
            let model = await SessionModel(services, id: id)
            await model.load()
            while let screen = await model.screen, await !model.isOver {
                asked.append(screen.question.id)
                pass(4)
                await model.answer(["a"], at: screen.index)
                if let problem = await model.problem { throw problem }
                await model.load()
            }
        }
        return asked
    }

    @Test func whatTheAccountAnsweredIsNoPartOfTheTabletsDay() async throws {
        for _ in 0..<2 {
            #expect(try await study(phone).count == 20)
            pass(ProgressFixture.day)
        }
        await sync()
        let (right, slow) = (try await today(phone), try await today(tablet))
        #expect(right.dueCount > 0 && slow.due == right.due)
        #expect(slow.dueTomorrow == right.dueTomorrow)
        let services = services(tablet)
        let figures = await ProgressModel(services)
        await figures.load()
        #expect(services.today == self.services(phone).today)
        #expect(await figures.screen?.figures.dueToday == right.dueCount)
        #expect(await figures.screen?.streak == 2)
    }

    @Test func everyEveningAsksAsMuchAsByARightClock() async throws {
        #expect(try await study(phone).count == 20)
        var new: [Int] = []
        var seen: Set<String> = []
        for _ in 0..<3 {
            pass(ProgressFixture.day)
            await sync()
            let due = try await today(tablet)
            let asked = try await study(tablet)
            #expect(asked.count == due.dueCount)
            new.append(Set(asked).subtracting(seen).count)
            seen.formUnion(asked)
            #expect(try await today(tablet).dueCount == 0, "answered, and not due again")
            await sync()
            #expect(try await today(tablet).dueCount == 0)
            #expect(try await today(phone).dueCount == 0)
        }
        #expect(new.allSatisfy { $0 >= 20 }, "\(new)")
    }

    @Test func aSessionThatStoppedAMomentAgoIsNotDaysOld() async throws {
        await sync()
        let services = services(tablet)
        _ = try await SessionStart(services).begin(Self.bank, .study)
        pass(30)
        let screen = try await today(tablet)
        let age = screen.now.timeIntervalSince(try #require(screen.stopped).stoppedAt)
        #expect(age >= 0 && age < 120, "\(age)")
    }

    @Test func aSessionThatWasOnlyLookedAtIsGoneTheNextDay() async throws {
        await sync()
        let services = services(phone)
        let id = try await SessionStart(services).begin(Self.bank, .exam)
        #expect(try await today(phone).stopped?.id == id)
        pass(ProgressFixture.day)
        #expect(try await today(phone).stopped == nil)
        // It stays where it can be continued.
        #expect(try await services.userData.perform { try $0.openSessions() }.count == 1)
    }

    /// A clock that was set right again is the one that counts.
    @Test func aClockThatIsRightNeedsNoReply() async throws {
        await sync()
        tablet.clock.advance(by: .seconds(9 * ProgressFixture.day))
        let screen = try await today(tablet)
        #expect(screen.now == tablet.clock.now)
    }
}
