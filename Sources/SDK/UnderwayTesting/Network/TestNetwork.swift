public import SyncClient
import Synchronization

/// A network in memory: hosts that reply, the sent requests, and faults on demand.
///
/// ```swift
/// let network = TestNetwork(try TestReleaseServer(.sample), TestSyncServer())
/// network.fail("manifest.json", with: .offline, times: 1)
/// let sync = ContentSync(store: store, transport: network, releaseURL: address)
/// print(await sync.sync().outcome, network.requests.count)
/// ```
public final class TestNetwork: Transport {
    private struct Rule {
        enum Effect {
            case fault(NetworkFault)
            case gate(TestGate)
        }

        var part: String
        var effect: Effect
        var remaining: Int

        func meets(_ path: String) -> Bool {
            remaining > 0 && (part.isEmpty || path.contains(part))
        }

        func open() {
            if case .gate(let gate) = effect { gate.open() }
        }
    }

    private struct State {
        var requests: [TransportRequest] = []
        var rules: [Rule] = []
        var isOffline = false

        /// Removes one use of each gate, and of the first fault, that a request meets.
        mutating func takeEffects(on request: TransportRequest) -> ([TestGate], NetworkFault?) {
            let path = request.path
            var (gates, fault): ([TestGate], NetworkFault?) = ([], isOffline ? .offline : nil)
            for index in rules.indices where rules[index].meets(path) {
                switch rules[index].effect {
                case .gate(let gate): gates.append(gate)
                case .fault(let other):
                    guard fault == nil else { continue }
                    fault = other
                }
                rules[index].remaining -= 1
            }
            return (gates, fault)
        }
    }

    private let hosts: [any TestHost]
    private let state = Mutex(State())

    /// Creates a network of hosts; a request goes to the first one that has its address.
    public init(_ hosts: any TestHost...) { self.hosts = hosts }

    // MARK: Requests

    /// The requests so far, in the order in which they were sent, including failed ones.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// Returns the requests so far whose path contains a part.
    public func requests(for part: String) -> [TransportRequest] {
        requests.filter { $0.path.contains(part) }
    }

    /// Discards the record of requests.
    public func forgetRequests() { state.withLock { $0.requests = [] } }

    // MARK: Faults

    /// True to simulate a missing network.
    public var isOffline: Bool {
        get { state.withLock { $0.isOffline } }
        set { state.withLock { $0.isOffline = newValue } }
    }

    /// Applies a fault to the next requests; of several that match, the one added first.
    ///
    /// - Parameters:
    ///   - part: A part of the path; empty for every request.
    ///   - fault: The fault.
    ///   - times: The number of requests; by default all that follow.
    public func fail(_ part: String = "", with fault: NetworkFault, times: Int = .max) {
        add(Rule(part: part, effect: .fault(fault), remaining: times))
    }

    /// Holds the next requests at a gate.
    ///
    /// - Parameters:
    ///   - part: A part of the path; empty for every request.
    ///   - times: The number of requests; by default all that follow.
    /// - Returns: The gate, which is closed.
    public func holdRequests(for part: String = "", times: Int = .max) -> TestGate {
        let gate = TestGate()
        add(Rule(part: part, effect: .gate(gate), remaining: times))
        return gate
    }

    /// Removes all faults and opens all gates.
    public func heal() {
        let rules = state.withLock { state in
            defer { (state.rules, state.isOffline) = ([], false) }
            return state.rules
        }
        for rule in rules { rule.open() }
    }

    private func add(_ rule: Rule) { state.withLock { $0.rules.append(rule) } }

    // MARK: Transport

    /// Sends a request to the first host that has its address; the reply has status 404 if none has.
    ///
    /// - Throws: `TransportError`, according to the faults.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let (gates, fault) = state.withLock { state in
            state.requests.append(request)
            return state.takeEffects(on: request)
        }
        for gate in gates { try await gate.pass() }
        if Task.isCancelled { throw TransportError(.cancelled, "The request was cancelled.") }
        let reply = fault.map { $0.applied { hostReply(to: request) } } ?? hostReply(to: request)
        return try reply.response(to: request)
    }

    private func hostReply(to request: TransportRequest) -> TestReply {
        for host in hosts {
            if let reply = host.reply(to: request) { return reply }
        }
        return .notFound
    }
}
