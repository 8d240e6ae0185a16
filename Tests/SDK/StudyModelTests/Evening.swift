import Foundation
import StudyModel
import Underway
import UnderwayTesting

/// The evenings of a learner: at which time of the clock on the wall, in which zone, from which date on.
enum Evenings: String, CaseIterable, Sendable {
    case sameMinute, tenMinutesSooner, sixteenMinutesLater, anyHour
    case clocksGoForward, clocksGoBack, flightWest, roundTheWorld

    /// The number of evenings.
    static let count = 30
    /// The evening is at eight.
    private static let eight = 20 * 60

    /// The day of the first evening; those with a change of the clocks have it in the middle.
    var first: LearningDay {
        let date =
            switch self {
            case .clocksGoForward: "2027-03-14"
            case .clocksGoBack: "2027-10-17"
            default: "2027-01-18"
            }
        return LearningDay(date) ?? LearningDay(0)
    }

    /// The minutes from midnight of the evening's date to its begin: a learner's day lasts from 240 to 1,679.
    func minutes(_ number: Int) -> Int {
        switch self {
        case .tenMinutesSooner: Self.eight - 10 * number
        case .sixteenMinutesLater: Self.eight + 16 * number - 1
        case .anyHour: 240 + number * 7_919 % 1_430
        case .clocksGoForward, .clocksGoBack: 26 * 60 + 30
        default: Self.eight
        }
    }

    func zone(_ number: Int) -> String {
        switch self {
        case .clocksGoForward, .clocksGoBack: "Europe/Berlin"
        case .flightWest: number < 10 ? "Europe/Berlin" : "America/Los_Angeles"
        case .roundTheWorld:
            number < 10
                ? "Europe/Berlin" : number < 20 ? "Pacific/Auckland" : "America/Los_Angeles"
        default: "GMT"
        }
    }

    /// Returns the moment at which an evening begins.
    func moment(_ number: Int) -> (date: Date, zone: TimeZone) {
        let zone = TimeZone(identifier: zone(number)) ?? .gmt
        return (zone.moment(first + number, minutes: minutes(number)), zone)
    }
}

extension TimeZone {
    /// Returns the moment at which clocks in the zone show a date and some minutes after its midnight.
    func moment(_ day: LearningDay, minutes: Int) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = self
        let shown = day + minutes / 1440
        let parts = shown.date.split(separator: "-").map { Int($0) }
        return calendar.date(
            from: DateComponents(
                year: parts[0], month: parts[1], day: parts[2], hour: minutes % 1440 / 60,
                minute: minutes % 60)) ?? .distantPast
    }
}

/// A learner with a bank of questions, who answers what a session asks.
struct EveningLearner {
    /// What an evening asked, and what the screens had said.
    struct Evening: Equatable {
        /// The questions that were asked before.
        var reviews: Set<String> = []
        /// The questions that are new.
        var new: Set<String> = []
        /// What Today says before the session.
        var dueBefore = 0
        /// What Today says after it.
        var dueAfter = 0
    }

    let fixture: ProgressFixture
    private(set) var evenings: [Evening] = []
    private var seen: Set<String> = []

    init(questions: Int) throws {
        fixture = try ProgressFixture(blueprints: [.rules(questions: questions)])
        // A spread of due days would hide which evening asks what.
        var fields = LearningFields()
        fields.spreads = false
        try fixture.userData.put(fields, id: LearningFields.allBanks)
    }

    func services(in zone: TimeZone) -> StudyServices {
        var services = fixture.services
        services.calendar.timeZone = zone
        return services
    }

    /// Moves the clock.
    func come(at moment: Date) {
        fixture.clock.advance(by: .seconds(moment.timeIntervalSince(fixture.now)))
    }

    /// Takes one session: all answers are right or wrong.
    mutating func study(in zone: TimeZone, isRight: Bool) async throws {
        let services = services(in: zone)
        var evening = Evening()
        evening.dueBefore = try await due(services)
        for id in try await session(services, isRight: isRight) {
            if seen.insert(id).inserted {
                evening.new.insert(id)
            } else {
                evening.reviews.insert(id)
            }
        }
        evening.dueAfter = try await due(services)
        evenings.append(evening)
    }

    /// Returns what Today says.
    func due(_ services: StudyServices) async throws -> Int {
        let model = await TodayModel(services)
        await model.load()
        if let problem = await model.problem { throw problem }
        return await model.screen?.dueCount ?? 0
    }

    /// Takes a session of what is due, and returns its questions; none when nothing is.
    ///
    /// A question that is asked again in the session is answered right, or the learner leaves before it.
    func session(
        _ services: StudyServices, isRight: Bool, leavingRepeats: Bool = false,
        wishes: SessionWishes = SessionWishes()
    ) async throws -> [String] {
        let id: String
        do {
            id = try await SessionStart(services).begin(
                ProgressFixture.bank, .study, wishes: wishes)
        } catch let problem as StudyProblem where problem.code == .nothingToAsk {
            return []
        }
        let model = await SessionModel(services, id: id)
        var asked: [String] = []
        await model.load()
        while let screen = await model.screen, await !model.isOver {
            let isAgain = asked.contains(screen.question.id)
            if isAgain, leavingRepeats {
                await model.finish()
                break
            }
            if !isAgain { asked.append(screen.question.id) }
            fixture.clock.advance(by: .seconds(4))
            await model.answer([isRight || isAgain ? "a" : "b"], at: screen.index)
            if let problem = await model.problem { throw problem }
            await model.load()
        }
        return asked
    }
}
