import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage

extension ReserveCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the planned exams.",
            examples: ["underway reserve list"])
        @OptionGroup var store: UserDataOptions
        @Flag(help: "Print JSON, also for errors.") var json = false

        func run() async throws {
            try await reportingErrors {
                let planned = try store.openUserData().records(Reservation.self)
                if json {
                    return Console.say(
                        json: .array(
                            planned.map {
                                [
                                    "id": .string($0.id), "exam": .string($0.value.exam),
                                    "date": .string($0.value.date.text),
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
