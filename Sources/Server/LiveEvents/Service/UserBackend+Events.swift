import ContentModel
package import ContentServer
import Ledger
package import ServiceAPI
package import UserData

extension UserBackend {
    /// The live events; `nil` if the storage has none.
    package var events: EventService? { rooms[EventService.self] }

    /// Adds the service of live events.
    package mutating func add(_ events: EventService) {
        rooms[EventService.self] = events
        exported["events"] = { user in
            .array(
                try await events.storage.standings(of: user).map { event, standing in
                    [
                        "event": .string(event), "score": .integer(standing.score),
                        "submissions": .integer(standing.submissions),
                    ]
                })
        }
    }

    /// Returns all live events.
    ///
    /// - Throws: `RequestError`.
    package func events(for user: String) async throws -> [LiveEvent] {
        try await translatingErrors(of: user) { try await events?.summaries() ?? [] }
    }

    /// Returns the places of an event for a user.
    ///
    /// - Throws: `RequestError` `notFound`, `noAccount`.
    package func event(_ name: String, top: Int, for user: String) async throws -> LiveEventPage {
        let page = try await translatingErrors(of: user) {
            try await events?.page(name, top: top, for: user)
        }
        guard let page else { throw RequestError.noEvent }
        return page
    }

    /// Decides about a user's submission to an event.
    ///
    /// - Throws: `RequestError` `notFound`, `noAccount`; `WireError` for more points than the event allows.
    package func submit(
        _ submission: EventSubmission, to event: String, of user: String
    ) async throws -> EventReceipt {
        let receipt = try await translatingErrors(of: user) {
            try await events?.submit(submission, to: event, of: user)
        }
        guard let receipt else { throw RequestError.noEvent }
        return receipt
    }
}

extension RequestError {
    /// The error for an unknown event.
    package static let noEvent = RequestError(.notFound, "There is no such event.")
}
