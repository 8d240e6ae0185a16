public import Hummingbird
import NIOCore

/// What the server knows of a request beside what was sent.
public struct ServerContext: RequestContext {
    /// What Hummingbird keeps.
    public var coreContext: CoreRequestContextStorage
    /// Who connected; `nil` without a socket.
    let remoteAddress: String?
    /// The connection.
    let channel: any Channel

    /// Takes over the connection's.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress?.ipAddress
        channel = source.channel
    }
}
