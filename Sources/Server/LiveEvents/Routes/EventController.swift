package import Accounts
import ContentModel
package import ContentServer
import Foundation
import HTTPTypes
package import Hummingbird
package import Ledger
import NIOCore
import ServiceAPI
import ServiceLifecycle
import UserData

/// The controller of live events.
package struct EventController {
    let users: UserBackend
    let caller: RequestAuthenticator
    let broadcast: EventBroadcast

    package init(users: UserBackend, caller: RequestAuthenticator, broadcast: EventBroadcast) {
        self.users = users
        self.caller = caller
        self.broadcast = broadcast
    }
    /// The bytes that the system keeps for a stream's reader; Linux takes twice as much.
    private static let sendBufferBytes = 16 << 10

    package func addRoutes(to router: Router<ServerContext>) {
        router.add(UserDataRoutes.events, [.get: list])
        router.add(UserDataRoutes.events + "/:event", [.get: read])
        router.add(UserDataRoutes.events + "/:event/submissions", [.post: submit])
        router.add(UserDataRoutes.events + "/:event/stream", [.get: watch])
    }

    @Sendable private func list(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .event)
        let events = try await users.events(for: user)
        return RequestAuthenticator.response(["events": .array(events.map(\.json))], request)
    }

    @Sendable private func read(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .event)
        let parameter = request.uri.queryParameters["top"].map { Int($0) }
        let top = parameter ?? ServiceLimits.boardTopDefault
        guard let top, (0...ServiceLimits.boardTopMax).contains(top) else {
            throw WireError("top", "must be from 0 to \(ServiceLimits.boardTopMax)")
        }
        let page = try await users.event(Self.name(context), top: top, for: user)
        return RequestAuthenticator.response(page.json, request)
    }

    @Sendable private func submit(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .event)
        let submission = try await caller.read(request, context) { try EventSubmission($0) }
        let receipt = try await users.submit(submission, to: Self.name(context), of: user)
        return RequestAuthenticator.response(receipt.json, request)
    }

    /// Streams the places of an event, in HTML's format of server-sent events.
    @Sendable private func watch(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.authenticatedUser(request, .event)
        let name = Self.name(context)
        // Fails here for an event that there is not: a stream that began has no status any more.
        _ = try await users.event(name, top: 0, for: user.id)
        guard let watcher = broadcast.add(name, caller: user) else {
            var error = RequestError(
                .busy, "Too many streams of events are open. Try again later.")
            error.retryAfterSeconds = ServiceLimits.eventHeartbeatSeconds
            throw error
        }
        // A reader who never reads costs this much of the kernel's memory, and is closed by `ConnectionDeadlines` after it.
        // A connection that is gone already is noticed by the first write.
        try? await context.channel.setOption(
            .socketOption(.so_sndbuf), value: SocketOptionValue(Self.sendBufferBytes)
        ).get()
        let sent = HTTPField.Name("last-event-id").flatMap { request.headers[$0] }
        var headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store",
        ]
        // nginx passes each frame on at once.
        if let name = HTTPField.Name("x-accel-buffering") { headers[name] = "no" }
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                try await Self.write(watcher, since: sent, to: &writer)
            })
    }

    /// Writes the newest frame whenever there is one, and a heartbeat when there is none.
    ///
    /// A reader who is slow gets fewer frames: a frame is chosen only when the one before was accepted.
    @concurrent private static func write(
        _ watcher: EventBroadcast.Watcher, since last: String?,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var sent = last
        for await _ in watcher.signals.cancelOnGracefulShutdown() {
            guard let frame = watcher.frame(), frame.id != sent else {
                try await writer.write(ByteBuffer(bytes: EventMessage.heartbeat))
                continue
            }
            sent = frame.id
            try await writer.write(frame.bytes)
            if frame.isFinal { break }
        }
        try await writer.finish(nil)
    }

    private static func name(_ context: ServerContext) -> String {
        context.parameters.get("event") ?? ""
    }
}
