import ArgumentParser
import Foundation
import OfflineStorage

struct ReserveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reserve",
        abstract: "List, plan and cancel exams.",
        discussion: """
            The next sync sends the changes. Without a subcommand, the command lists the exams.
            """,
        examples: ["underway reserve"],
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self)
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
