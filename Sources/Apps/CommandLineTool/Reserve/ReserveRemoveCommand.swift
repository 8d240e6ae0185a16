import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

extension ReserveCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a planned exam.",
            examples: ["underway reserve remove int/swift"])
        @Argument(help: "The exam, for example int/swift.") var exam: String
        @OptionGroup var store: UserDataOptions
        @OptionGroup var outputOptions: OutputOptions

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
}
