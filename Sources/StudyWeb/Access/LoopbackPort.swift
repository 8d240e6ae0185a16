import NIOCore
import NIOPosix

/// The choice of the port on 127.0.0.1.
public enum LoopbackPort {
    /// Looks whether the port of the last run is free.
    ///
    /// - Parameter last: The port of the last run; `nil` before the first.
    /// - Returns: That port, or 0, by which the system chooses one.
    public static func free(preferring last: Int?) async -> Int {
        guard let last else { return 0 }
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: "127.0.0.1", port: last).get()
            try await channel.close()
            return last
        } catch {
            // Another program listens there, or the system refuses the port to this user now.
            return 0
        }
    }
}
