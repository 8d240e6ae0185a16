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

    func openTransport() -> HTTPTransport { HTTPTransport(allowsInsecureHTTP: insecureHttp) }
}
