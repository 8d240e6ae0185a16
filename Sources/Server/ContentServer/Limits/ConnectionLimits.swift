import NIOCore
import ServiceAPI
import Synchronization

/// How long and how many connections may be.
public struct ConnectionLimits: Sendable {
    /// How long a client may take for a request's head.
    public var head = Duration.seconds(ServiceLimits.requestHeadSeconds)
    /// How long a connection may wait for its next request.
    public var idle = Duration.seconds(ServiceLimits.connectionIdleSeconds)
    /// The time in which a body or a reply must advance at the least rate.
    public var window = Duration.seconds(ServiceLimits.transferWindowSeconds)
    /// How long a refused client may go on sending.
    public var linger = Duration.seconds(ServiceLimits.lingerSeconds)
    /// How long a connection may wait for its next request when few more fit.
    public var crowdedIdle = Duration.seconds(ServiceLimits.crowdedIdleSeconds)
    /// The most connections of all clients.
    public var all = ServiceLimits.connectionsMax
    /// The most connections of one address.
    public var perAddress = ServiceLimits.connectionsPerAddressMax
    /// True when connections from this machine are counted too.
    public var countsLoopback = false

    /// The limits of `ServiceLimits`.
    public init() {}

    /// How often a connection is looked at; every limit holds to within this.
    var tick: TimeAmount {
        TimeAmount(max(.milliseconds(10), min(head, idle, crowdedIdle, window) / 4))
    }
}

/// Counts the connections of each address.
final class ConnectionRegistry: Sendable {
    private let limits: ConnectionLimits
    private let proxies: ProxyTrust
    private let counts = Mutex<[String: Int]>([:])
    private let all = Atomic(0)

    init(_ limits: ConnectionLimits, proxies: ProxyTrust) {
        self.limits = limits
        self.proxies = proxies
    }

    /// True when three quarters of all connections are taken.
    var isCrowded: Bool { all.load(ordering: .relaxed) >= limits.all * 3 / 4 }

    /// Counts a connection until it closes.
    ///
    /// - Returns: False when its address has too many.
    func admit(_ channel: any Channel) -> Bool {
        all.wrappingAdd(1, ordering: .relaxed)
        channel.closeFuture.whenComplete { [self] _ in
            all.wrappingSubtract(1, ordering: .relaxed)
        }
        guard let text = channel.remoteAddress?.ipAddress, let address = ClientAddress(text),
            !proxies.trusts(address), limits.countsLoopback || !address.isLoopback
        else { return true }
        let network = address.network
        let isAdmitted = counts.withLock { counts in
            guard counts[network, default: 0] < limits.perAddress else { return false }
            counts[network, default: 0] += 1
            return true
        }
        if isAdmitted { channel.closeFuture.whenComplete { [self] _ in release(network) } }
        return isAdmitted
    }

    private func release(_ network: String) {
        counts.withLock { counts in
            guard let count = counts[network] else { return }
            counts[network] = count > 1 ? count - 1 : nil
        }
    }
}
