public import Hummingbird
import NIOCore
import TraceExport

/// The properties of a request that are not in its message.
public struct ServerContext: RequestContext {
    /// The storage of Hummingbird.
    public var coreContext: CoreRequestContextStorage
    /// The address of the peer; `nil` without a socket.
    let remoteAddress: String?
    /// The connection.
    let channel: any Channel
    /// The place in a trace; `nil` before the middleware that gives one.
    var trace: TraceContext?

    /// Creates the context of a request on a connection.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress?.ipAddress
        channel = source.channel
    }
}
