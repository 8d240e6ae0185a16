#if RedisTLS
import NIOCore
import NIOSSL

extension RedisAddress {
    /// Returns a handler that encrypts a connection and verifies the server's certificate.
    func handlerOfTLS() throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let certificateFile { configuration.trustRoots = .file(certificateFile) }
        let isName = (try? SocketAddress(ipAddress: host, port: 0)) == nil
        return try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration),
            serverHostname: isName ? host : nil)
    }
}
#endif
