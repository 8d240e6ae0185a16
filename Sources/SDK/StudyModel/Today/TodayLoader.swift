import Foundation
import Underway

/// Reads the first screen of a device.
struct TodayLoader {
    /// The seconds for a question before the learner's own pace is known.
    static let secondsPerQuestion: TimeInterval = 20
    /// The newest answers by which the pace is measured.
    private static let answersOfPace = 100

    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    func screen() async throws -> TodayScreen {
        try await services.readDay()
        let open = try await services.userData.perform { try $0.openSessions() }
        let reservations = try await reservations()
        var screen = try await subjects(open, reservations)
        let stopped = try await stopped(open)
        screen.stopped = stopped.first
        screen.hasStarted = screen.hasStarted || !stopped.isEmpty
        screen.stoppedBefore = Array(stopped.dropFirst())
        screen.corrected = try await CorrectionLoader(services).newest()
        let pace = try await pace()
        if screen.due.isEmpty { screen.offers = try await offers(open, pace: pace) }
        screen.booked = try await booked(reservations)
        screen.secondsOfDue = Double(screen.dueCount) * pace
        return screen
    }

    /// Returns the subject with which to continue; `nil` when nothing is due.
    func mostUrgent() async throws -> TodayScreen.Due? {
        let open = try await services.userData.perform { try $0.openSessions() }
        return try await subjects(open, try await reservations()).mostUrgent
    }

    // MARK: Subjects

    /// Returns a screen with what is due, and nothing else yet.
    private func subjects(
        _ open: [SavedSession], _ reservations: [String: Reservation]
    ) async throws -> TodayScreen {
        let started = try await startedBanks(open)
        var screen = TodayScreen(
            now: services.now, day: services.dateOfToday, stopped: nil, due: [], booked: [],
            secondsOfDue: 0, dueTomorrow: 0,
            hasStarted: !started.isEmpty, missing: [])
        for bank in started {
            guard let blueprint = try await blueprint(bank) else {
                screen.missing.append(Subject(missing: bank))
                continue
            }
            try await services.applyCorrections(of: blueprint)
            try await add(bank, blueprint, reservations[bank.name], to: &screen)
        }
        screen.due.sort { ($0.count, $1.subject.title) > ($1.count, $0.subject.title) }
        return screen
    }

    /// Returns what the started banks offer when nothing is due; an interrupted session is continued instead.
    private func offers(_ open: [SavedSession], pace: TimeInterval) async throws -> [StudyOffer] {
        var offers: [StudyOffer] = []
        let studied = Set(open.filter { $0.session.mode == .study }.map(\.bank))
        for bank in try await startedBanks(open) where !studied.contains(bank) {
            guard let blueprint = try await blueprint(bank) else { continue }
            offers += try await OfferLoader(services).offers(bank, blueprint, pace: pace)
        }
        return offers.best
    }

    /// Returns the banks with answers or an open session, in the order of their names.
    func startedBanks(_ open: [SavedSession]) async throws -> [QuestionFilter.Bank] {
        let answered = try await services.userData.perform {
            try $0.progressByDomain().compactMap(\.bank)
        }
        let names = Set(answered).union(open.studiedBanks.map(\.name))
        return names.sorted().compactMap { QuestionFilter.Bank(name: $0) }
    }

    /// Returns a bank's questions; `nil` when the content no longer has it.
    func blueprint(_ bank: QuestionFilter.Bank) async throws -> Blueprint? {
        do {
            return try await services.content.perform { try $0.blueprint(bank).value }
        } catch let error as StoreError where error.code == .notFound {
            return nil
        }
    }

    private func add(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint, _ reservation: Reservation?,
        to screen: inout TodayScreen
    ) async throws {
        let counts = try await DueLoader(services).counts(bank, blueprint)
        if counts.today > 0 {
            screen.due.append(
                TodayScreen.Due(
                    subject: Subject(blueprint, of: bank), count: counts.today,
                    newCount: counts.new, examDate: reservation?.date,
                    backlog: counts.backlog))
        }
        screen.dueTomorrow += counts.days[1]
        let subject = Subject(blueprint, of: bank)
        screen.aside += [
            .init(subject: subject, count: counts.missedAsideToday, isOwn: false),
            .init(subject: subject, count: counts.ownAsideToday, isOwn: true),
        ].filter { $0.count > 0 }
    }

    // MARK: Sessions

    /// Returns the newest of the sessions that can be resumed, without those of earlier days in which nothing was answered:
    /// they were only looked at.
    private func stopped(_ open: [SavedSession]) async throws -> [TodayScreen.Stopped] {
        var found: [TodayScreen.Stopped] = []
        for saved in open where found.count < TodayScreen.stoppedMax {
            let isBegun = saved.session.items.contains { $0.answer != nil }
            guard isBegun || services.days.day(of: stoppedAt(saved)) >= services.today,
                let blueprint = try await blueprint(saved.bank)
            else { continue }
            found.append(stopped(saved, blueprint))
        }
        return found
    }

    private func stopped(
        _ saved: SavedSession, _ blueprint: Blueprint
    ) -> TodayScreen.Stopped {
        let session = saved.session
        let isPlacement = session.mode == .placement
        // A bank that cannot be placed has as many questions as the session.
        let most = try? PlacementCourse(blueprint, answers: []).questionsMax
        return TodayScreen.Stopped(
            id: saved.id, subject: Subject(blueprint, of: saved.bank), mode: session.mode,
            index: min(session.position, max(0, session.items.count - 1)),
            count: isPlacement ? most ?? session.items.count : session.items.count,
            isCountMost: isPlacement,
            stoppedAt: stoppedAt(saved))
    }

    /// Returns when a session was saved, by a clock that may be behind what the device knows of the time.
    private func stoppedAt(_ saved: SavedSession) -> Date {
        saved.savedAt + services.now.timeIntervalSince(services.clock())
    }

    /// The minimum time for a question in an estimate, in seconds; no learner reads faster, despite quick taps.
    private static let secondsMin: TimeInterval = 5

    /// Returns the mean seconds of the learner's newest answers on all devices, at least ``secondsMin``.
    func pace() async throws -> TimeInterval {
        let seconds = try await services.userData.perform {
            try $0.meanSeconds(ofNewest: Self.answersOfPace)
        }
        return seconds.map { max(Self.secondsMin, $0) } ?? Self.secondsPerQuestion
    }

    // MARK: Exams

    private func reservations() async throws -> [String: Reservation] {
        let all = try await services.userData.perform { try $0.records(Reservation.self) }
        let coming = all.map(\.value).filter {
            $0.isComing && ($0.date.day ?? services.today) >= services.today
        }
        return Dictionary(coming.map { ($0.exam, $0) }) { $0.date < $1.date ? $0 : $1 }
    }

    private func booked(
        _ reservations: [String: Reservation]
    ) async throws -> [TodayScreen.Booked] {
        var booked: [TodayScreen.Booked] = []
        for reservation in reservations.values.sorted(by: { $0.date < $1.date }) {
            guard let bank = QuestionFilter.Bank(name: reservation.exam),
                let blueprint = try await blueprint(bank)
            else { continue }
            booked.append(
                TodayScreen.Booked(
                    subject: Subject(blueprint, of: bank), date: reservation.date,
                    forecast: try await forecast(reservation, bank, blueprint)))
        }
        return booked
    }

    private func forecast(
        _ reservation: Reservation, _ bank: QuestionFilter.Bank, _ blueprint: Blueprint
    ) async throws -> ExamForecast? {
        guard reservation.isComing, let day = reservation.date.day else { return nil }
        let counts = try await services.userData.perform {
            try $0.progressByDomain().filter { $0.bank == bank.name }
        }
        let state = try await ForecastLoader(services)
            .forecast(bank, blueprint, counts: counts, examDay: day)
        guard case .ready(let forecast) = state else { return nil }
        return forecast
    }
}

extension [SavedSession] {
    /// The banks of the sessions; a simulated exam that is open does not make its bank one that the learner studies.
    var studiedBanks: [QuestionFilter.Bank] { filter { $0.session.mode != .exam }.map(\.bank) }
}
