import ArgumentParser
import SyncClient

/// The options for the connection to servers.
struct NetworkOptions: ParsableArguments {
    @Flag(
        help: """
            Speak plain HTTP with other machines too; others on the way can read the user's tokens \
            and change the content.
            """)
    var insecureHttp = false

    func openTransport() -> HTTPTransport { HTTPTransport(allowsInsecureHTTP: insecureHttp) }
}
