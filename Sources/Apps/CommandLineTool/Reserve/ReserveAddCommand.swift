import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

extension ReserveCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Plan an exam, or change its day.",
            examples: ["underway reserve add int/swift 2026-12-24"])
        @Argument(help: "The exam, for example int/swift.") var exam: String
        @Argument(help: "The day, for example 2026-12-24.", transform: Self.day) var day: ExamDate
        @Option(help: "The state of the plan.") var status = StatusArgument(.planned)
        @OptionGroup var store: UserDataOptions
        @OptionGroup var outputOptions: OutputOptions

        private static func day(_ text: String) throws -> ExamDate {
            guard let date = ExamDate(text), date.isDay else {
                throw ValidationError("Write the day as 2026-12-24, not \"\(text)\".")
            }
            return date
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
                        "exam": .string(exam), "date": .string(day.text),
                        "status": .string(status.status.rawValue),
                    ])
            }
        }
    }
}
