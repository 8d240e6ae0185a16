package import Hummingbird
import NIOCore
import Telemetry

/// The properties of a request that its message does not contain.
package struct ServerContext: RequestContext {
    /// The context of Hummingbird.
    package var coreContext: CoreRequestContextStorage
    /// The address of the peer; `nil` without a socket.
    package let remoteAddress: String?
    /// The connection.
    package let channel: any Channel
    /// The place in a trace; `nil` before the middleware that gives one.
    var trace: TraceContext?

    /// Creates the context of a request on a connection.
    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress?.ipAddress
        channel = source.channel
    }
}
