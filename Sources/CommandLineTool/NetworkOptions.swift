import ArgumentParser
import SyncClient

/// The options for the connection to servers.
struct NetworkOptions: ParsableArguments {
    @Flag(
        help: """
            Allow plain HTTP to other machines; others on the network can read the user's tokens \
            and change the content.
            """)
    var insecureHttp = false

    /// The remedy for an address that is not secure, after a space.
    static let insecureAdvice = " --insecure-http allows it."

    func openTransport() -> HTTPTransport { HTTPTransport(allowsInsecureHTTP: insecureHttp) }
}
