public import SyncClient
import Synchronization

/// A host whose replies a test sets: by path, or in order.
///
/// ```swift
/// let host = ScriptedHost(.json("1"), .json("2"))  // to any request, each once
/// host.reply(to: "/policy.json", with: .json("{}"), .unchanged)  // by path, the last one again and again
/// ```
public final class ScriptedHost: TestHost {
    private struct Route {
        var method: String?
        var part: String
        var replies: [TestReply]
    }

    private struct State {
        var queue: [TestReply]
        var routes: [Route] = []
    }

    private let state: Mutex<State>

    /// Creates a host with replies to any request, in order; after the last one it has none.
    public init(_ replies: TestReply...) {
        state = Mutex(State(queue: replies))
    }

    /// Sets the replies to requests for a path, in order; the last one is repeated.
    ///
    /// Replies by path take precedence over those in order. Of two routes that match, the last one set wins.
    /// - Parameters:
    ///   - part: A part of the path, such as `/policy.json`.
    ///   - method: The HTTP method; `nil` for every method.
    ///   - replies: The replies; none to remove those set before.
    public func reply(to part: String, method: String? = nil, with replies: TestReply...) {
        state.withLock { state in
            state.routes.removeAll { $0.part == part && $0.method == method }
            guard !replies.isEmpty else { return }
            state.routes.insert(Route(method: method, part: part, replies: replies), at: 0)
        }
    }

    /// The remaining replies in order.
    public var remainingReplies: [TestReply] { state.withLock { $0.queue } }

    /// Returns the next reply to a request; `nil` when none remains.
    public func reply(to request: TransportRequest) -> TestReply? {
        let path = request.path
        return state.withLock { state in
            let index = state.routes.firstIndex { route in
                path.contains(route.part) && (route.method ?? request.method) == request.method
            }
            guard let index else { return state.queue.isEmpty ? nil : state.queue.removeFirst() }
            return state.routes[index].replies.count > 1
                ? state.routes[index].replies.removeFirst() : state.routes[index].replies.first
        }
    }
}
