import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

extension ReserveCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Plan an exam, or change its day.")
        @Argument(help: "The exam, as int/swift.") var exam: String
        @Argument(help: "The day, as 2026-12-24.", transform: Self.day) var day: ExamDate
        @Option(help: "How far it has come.") var status = StatusArgument(.planned)
        @OptionGroup var store: UserDataOptions
        @OptionGroup var outputOptions: OutputOptions

        private static func day(_ text: String) throws -> ExamDate {
            guard let date = ExamDate(text), date.isDay else {
                throw ValidationError("A day is written as 2026-12-24, not \"\(text)\".")
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
