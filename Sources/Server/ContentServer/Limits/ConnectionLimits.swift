import NIOCore
import ServiceAPI
import Synchronization

/// The limits on the number and the duration of connections.
package struct ConnectionLimits: Sendable {
    /// The time limit of a request's head.
    package var head = Duration.seconds(ServiceLimits.requestHeadSeconds)
    /// The time limit between two requests.
    package var idle = Duration.seconds(ServiceLimits.connectionIdleSeconds)
    /// The period in which a body or a reply must reach the minimum rate.
    package var window = Duration.seconds(ServiceLimits.transferWindowSeconds)
    /// The time for which a rejected client may continue to send.
    package var linger = Duration.seconds(ServiceLimits.lingerSeconds)
    /// The time limit between two requests when the server is close to its maximum number of connections.
    package var crowdedIdle = Duration.seconds(ServiceLimits.crowdedIdleSeconds)
    /// The maximum number of connections.
    package var all = ServiceLimits.connectionsMax
    /// The maximum number of connections from one address.
    package var perAddress = ServiceLimits.connectionsPerAddressMax
    /// True to count connections from this machine too.
    package var countsLoopback = false

    /// Creates the limits of `ServiceLimits`.
    package init() {}

    /// The interval of checks, which is the accuracy of every time limit.
    var tick: TimeAmount {
        TimeAmount(max(.milliseconds(10), min(head, idle, crowdedIdle, window) / 4))
    }
}

/// The number of open connections, in total and by address.
package final class ConnectionRegistry: Sendable {
    private let limits: ConnectionLimits
    private let proxies: ProxyTrust
    private let counts = Mutex<[String: Int]>([:])
    private let all = Atomic(0)

    package init(_ limits: ConnectionLimits, proxies: ProxyTrust) {
        self.limits = limits
        self.proxies = proxies
    }

    /// The number of open connections.
    package var count: Int { all.load(ordering: .relaxed) }

    /// True when three quarters of all connections are in use.
    var isCrowded: Bool { count >= limits.all * 3 / 4 }

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
