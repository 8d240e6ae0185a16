import ContentModel
import Foundation
import ServiceAPI
public import UserData

/// Live events.
extension Account {
    /// Returns the live events of the server, including past and future ones.
    ///
    /// - Throws: `ServiceError`.
    public func events() async throws -> [LiveEvent] {
        try await withToken { token in
            let reply = try await client.send("GET", UserDataRoutes.events, token: token)
            return try ServiceError.reading { try LiveEvent.list(reply.body) }
        }
    }

    /// Returns the present places of a live event, with the learner's own.
    ///
    /// - Parameters:
    ///   - name: The `id` of the event in ``events()``.
    ///   - top: The number of the best places, at most 100.
    /// - Returns: The places; `isStale` when the server cannot read newer ones.
    /// - Throws: `ServiceError`: `notFound` when there is no such event.
    public func event(_ name: String, top: Int = 10) async throws -> LiveEventPage {
        try await withToken { token in
            let path = "\(Self.path(ofEvent: name))?top=\(top)"
            let reply = try await client.send("GET", path, token: token)
            return try ServiceError.reading { try LiveEventPage(reply.body) }
        }
    }

    /// Submits points to a live event.
    ///
    /// The server deduplicates submissions by their id: after a failure of the network, send it again with the same id.
    ///
    /// ```swift
    /// let receipt = try await account.submit(points: 30, id: "round-1", to: "finals")
    /// switch receipt.result {
    /// case .counted, .duplicate: print(receipt.score, receipt.rank ?? 0)
    /// case .early, .late, .tooMany: print("not counted:", receipt.result.rawValue)
    /// }
    /// ```
    /// - Parameters:
    ///   - points: The points, from 0 to the event's `pointsMax`.
    ///   - id: The submission's id, which the app chooses: 1 to 64 ASCII letters, digits, hyphens and underscores.
    ///   - event: The `id` of the event.
    /// - Returns: The verdict with the learner's score and rank.
    /// - Throws: `ServiceError`: `notFound` when there is no such event, `invalidRequest` for an id or points out of
    ///   range.
    @discardableResult
    public func submit(
        points: Int, id: String, to event: String
    ) async throws -> EventReceipt {
        let body: JSONValue = ["id": .string(id), "points": .integer(points)]
        return try await withToken { token in
            let reply = try await client.send(
                "POST", "\(Self.path(ofEvent: event))/submissions", body, token: token)
            return try ServiceError.reading { try EventReceipt(reply.body) }
        }
    }

    /// Returns the places of a live event as a sequence: at most two pages a second, without the learner's own place.
    ///
    /// ```swift
    /// for try await page in account.watch("finals") {
    ///     print(page.placeCount, "learners,", page.top.first?.name ?? "–", "leads")
    /// }
    /// ```
    /// - Parameter event: The `id` of the event.
    /// - Returns: The pages, which end with the final one. It reconnects after a lost connection; the next page
    ///   includes all changes since.
    public func watch(_ event: String) -> LiveEventUpdates {
        LiveEventUpdates(account: self, event: event)
    }

    static func path(ofEvent name: String) -> String {
        "\(UserDataRoutes.events)/\(escaped(name))"
    }
}

/// The pages of a live event as the server sends them; see ``Account/watch(_:)``.
///
/// ```swift
/// var pages = account.watch("finals").makeAsyncIterator()
/// if let page = try await pages.next() { print(page.top.count) }
/// ```
public struct LiveEventUpdates: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = LiveEventPage

    /// The first wait before a reconnection; it doubles up to the maximum.
    private static let firstWait = Duration.milliseconds(500)
    private static let longestWait = Duration.seconds(30)
    /// The maximum number of bytes of one connection before another is opened.
    private static let streamBytesMax = 64 << 20

    let account: Account
    let event: String

    /// Creates an iterator, which opens a connection of its own at its first page.
    public func makeAsyncIterator() -> Iterator { Iterator(account: account, event: event) }

    /// An iterator over the pages.
    public struct Iterator: AsyncIteratorProtocol {
        let account: Account
        let event: String
        private var body: AsyncThrowingStream<[UInt8], any Error>.Iterator?
        private var parser = EventStreamParser()
        private var messages: [EventMessage] = []
        private var lastID = ""
        private var wait = LiveEventUpdates.firstWait
        private var hasEnded = false

        init(account: Account, event: String) {
            self.account = account
            self.event = event
        }

        /// Waits for the next page.
        ///
        /// - Returns: The page; `nil` after the final one, and when the task was cancelled.
        /// - Throws: `ServiceError` for a failure that a retry does not resolve: `notFound`, `unauthorized`,
        ///   `noAccount`.
        public mutating func next() async throws -> LiveEventPage? {
            while !hasEnded, !Task.isCancelled {
                if let page = try nextMessage() {
                    hasEnded = page.isFinal
                    return page
                }
                try await receive()
            }
            return nil
        }

        private mutating func nextMessage() throws -> LiveEventPage? {
            guard !messages.isEmpty else { return nil }
            let message = messages.removeFirst()
            // An event of a later version is none of ours.
            guard message.name == "places" else { return nil }
            lastID = message.id
            return try ServiceError.reading { try LiveEventPage(Array(message.data.utf8)) }
        }

        /// Receives bytes, from a new connection if there is none.
        private mutating func receive() async throws {
            do {
                if body == nil { try await connect() }
                guard let piece = try await body?.next(isolation: #isolation) else {
                    return body = nil
                }
                wait = LiveEventUpdates.firstWait
                messages += parser.append(piece)
            } catch {
                body = nil
                try await pause(after: error)
            }
        }

        private mutating func connect() async throws {
            let (path, mark) = ("\(Account.path(ofEvent: event))/stream", lastID)
            let client = account.client
            body = try await account.withToken { token in
                try await client.stream(
                    path, token: token, lastID: mark, bytesMax: LiveEventUpdates.streamBytesMax)
            }.makeAsyncIterator()
            parser = EventStreamParser()
        }

        /// Waits before another attempt.
        ///
        /// - Throws: An error that another attempt does not resolve.
        private mutating func pause(after error: any Error) async throws {
            // A stream that breaks while it is read fails with an error of its transport.
            if let error = error as? ServiceError, !Account.isPassing(error) { throw error }
            let asked = (error as? ServiceError)?.retryAfter ?? .zero
            // Cancelled here, the loop ends.
            try? await Task.sleep(for: Swift.max(wait, asked))
            wait = Swift.min(wait * 2, LiveEventUpdates.longestWait)
        }
    }
}
