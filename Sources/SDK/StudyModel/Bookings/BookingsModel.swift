import Foundation
public import Observation
public import Underway

/// The model of the exam dates: each change is saved at once, and the next sync sends it.
@MainActor @Observable
public final class BookingsModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: BookingsScreen?
    /// The reason why the entered date was not booked; `nil` when it was.
    public private(set) var refusal: BookingDate.Refusal?
    /// The last date that was booked or moved.
    public private(set) var booked: ExamDate?
    /// The reservation before the last change; `nil` when there was none.
    public private(set) var former: Reservation?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the dates.
    public func load() async {
        do {
            screen = try await BookingsLoader(services).screen()
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Books a date for an exam of the content, or moves the booked one.
    public func book(_ exam: String, on date: BookingDate) async {
        await change(exam) { former in
            guard let bank = QuestionFilter.Bank(name: exam), case .exam = bank else {
                throw StudyProblem(.notFound)
            }
            _ = try await services.content.perform { try $0.blueprint(bank) }
            return Reservation(exam: exam, date: try valid(date), status: .booked)
        }
    }

    /// Moves a date.
    ///
    /// - Parameters:
    ///   - id: The reservation's id.
    ///   - date: The new date.
    public func move(_ id: String, to date: BookingDate) async {
        await change(id) { former in
            guard var reservation = former else { throw StudyProblem(.notFound) }
            reservation.date = try valid(date)
            reservation.status = .booked
            return reservation
        }
    }

    /// Cancels a date; ``restore(_:_:status:)`` undoes it.
    public func cancel(_ id: String) async {
        await change(id) { former in
            guard var reservation = former else { throw StudyProblem(.notFound) }
            reservation.status = .cancelled
            return reservation
        }
    }

    /// Undoes a change: restores the former date and status.
    public func restore(_ id: String, _ date: ExamDate, status: Reservation.Status) async {
        await change(id) { former in
            guard var reservation = former, date.isValid else { throw StudyProblem(.notFound) }
            (reservation.date, reservation.status) = (date, status)
            return reservation
        }
    }

    private func valid(_ date: BookingDate) throws -> ExamDate {
        try date.examDate(now: services.now, calendar: services.calendar)
    }

    private func change(
        _ id: String, _ body: (Reservation?) async throws -> Reservation
    ) async {
        do {
            let before = try await services.userData.perform {
                try $0.record(Reservation.self, id: id)
            }
            let reservation = try await body(before)
            if reservation != before {
                try await services.change { try $0.put(reservation, id: id, now: $1) }
            }
            (former, booked, refusal, problem) = (before, reservation.date, nil, nil)
        } catch let failure as BookingDate.Failure {
            (refusal, problem) = (failure.reason, nil)
        } catch {
            // Nothing was done, so there is nothing to say or to take back.
            (former, booked) = (nil, nil)
            problem = StudyProblem(error)
        }
    }
}

/// Reads the exam dates of a device.
struct BookingsLoader {
    private let services: StudyServices
    private let now: Date

    init(_ services: StudyServices) {
        self.services = services
        now = services.now
    }

    func screen() async throws -> BookingsScreen {
        let (waiting, conflicts) = try await services.userData.perform {
            (Set(try $0.outbox().map(\.operation.key)), Set(try $0.conflicts().map(\.key)))
        }
        let topics = TopicLoader(services.content)
        var screen = BookingsScreen(now: now, upcoming: [], earlier: [], exams: [])
        let records = try await services.userData.perform { try $0.records(Reservation.self) }
        for record in records {
            let key = RecordKey(Reservation.collection.name, record.id)
            let booking = BookingsScreen.Booking(
                id: record.id, exam: record.value.exam,
                title: await topics.title(of: record.value.exam), date: record.value.date,
                status: record.value.status, isWaiting: waiting.contains(key),
                isInConflict: conflicts.contains(key))
            if isUpcoming(record.value) {
                screen.upcoming.append(booking)
            } else {
                screen.earlier.append(booking)
            }
        }
        screen.upcoming.sort { ($0.date, $0.id) < ($1.date, $1.id) }
        screen.earlier.sort { ($0.date, $0.id) > ($1.date, $1.id) }
        let taken = Set(screen.upcoming.map(\.exam))
        screen.exams = try await exams(topics).filter { !taken.contains($0.id) }
        return screen
    }

    private func isUpcoming(_ reservation: Reservation) -> Bool {
        guard reservation.status == .planned || reservation.status == .booked else { return false }
        let today = services.days.day(of: now)
        return (reservation.date.day ?? today) >= today
    }

    /// Returns the exams of the device: those that the learner has answers to before the others.
    private func exams(_ topics: TopicLoader) async throws -> [BookingsScreen.Exam] {
        do {
            var exams: [BookingsScreen.Exam] = []
            let manifest = try await services.content.perform { try $0.manifest().value }
            for name in manifest.exams.keys {
                exams.append(.init(id: name, title: await topics.title(of: name)))
            }
            let studied = try await services.userData.perform {
                Set(try $0.progressByDomain().compactMap(\.bank))
            }
            return exams.sorted {
                let (one, other) = (studied.contains($0.id), studied.contains($1.id))
                return one == other ? ($0.title, $0.id) < ($1.title, $1.id) : one
            }
        } catch let error as StoreError where error.code == .notFound {
            return []
        }
    }
}
