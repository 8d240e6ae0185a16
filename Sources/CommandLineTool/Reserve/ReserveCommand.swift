import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

struct ReserveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reserve",
        abstract: "Plan exams, on the device first; the next sync sends it.",
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self)

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Plan an exam, or change its day.")
        @Argument(help: "The exam, as int/swift.") var exam: String
        @Argument(help: "The day, as 2026-12-24.") var day: String
        @Option(help: "How far it has come.") var status = StatusArgument(.planned)
        @OptionGroup var store: StoreOptions
        @OptionGroup var answer: AnswerOptions

        func validate() throws {
            guard (try? Date(day, strategy: .iso8601.year().month().day())) != nil else {
                throw ValidationError("A day is written as 2026-12-24, not \"\(day)\".")
            }
        }

        func run() async throws {
            try await reportingErrors {
                try store.openUserData(making: true).put(
                    Reservation(exam: exam, date: day, status: status.status), id: exam,
                    now: Date())
                Console.say(
                    "Reserved \(day) for \(exam) (\(status.status.rawValue))."
                        + " \(Reservation.collection.policy.text)",
                    json: [
                        "exam": .string(exam), "date": .string(day),
                        "status": .string(status.status.rawValue),
                    ])
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a reservation.")
        @Argument(help: "The exam, as int/swift.") var exam: String
        @OptionGroup var store: StoreOptions
        @OptionGroup var answer: AnswerOptions

        func run() async throws {
            try await reportingErrors {
                let store = try store.openUserData()
                guard try store.record(Reservation.self, id: exam) != nil else {
                    throw CommandFailure(.notFound, "There is no reservation for \(exam).")
                }
                try store.delete(Reservation.self, id: exam, now: Date())
                Console.say(
                    "Removed the reservation for \(exam).", json: ["removed": .string(exam)])
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the reservations.")
        @OptionGroup var store: StoreOptions
        @Flag(help: "Answer in JSON.") var json = false

        func run() async throws {
            try await reportingErrors {
                let planned = try store.openUserData().records(Reservation.self)
                if json {
                    return Console.say(
                        json: .array(
                            planned.map {
                                [
                                    "id": .string($0.id), "exam": .string($0.value.exam),
                                    "date": .string($0.value.date),
                                    "status": .string($0.value.status.rawValue),
                                ]
                            }))
                }
                if planned.isEmpty { Console.say("No exam is reserved.") }
                for reservation in planned {
                    let value = reservation.value
                    Console.say("\(reservation.id)  \(value.date)  (\(value.status.rawValue))")
                }
            }
        }
    }
}

/// The status of a reservation as an argument.
struct StatusArgument: ExpressibleByArgument {
    let status: Reservation.Status

    init(_ status: Reservation.Status) { self.status = status }

    init?(argument: String) {
        guard let status = Reservation.Status(rawValue: argument) else { return nil }
        self.status = status
    }

    var defaultValueDescription: String { status.rawValue }

    static let allValueStrings = [Reservation.Status.planned, .booked, .taken, .cancelled]
        .map(\.rawValue)
}
