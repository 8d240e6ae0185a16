import ArgumentParser
import ContentModel
import Foundation
import SignatureVerification
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

/// The root of trust of a device.
struct TrustOptions: ParsableArguments {
    @Option(
        help: """
            The root file of `underway trust init`: the device accepts only what its keys have signed.
            """,
        transform: PathArgument.path)
    var root: String?

    /// Reads the policy.
    ///
    /// - Throws: `CommandFailure` `files`.
    func policy() throws -> TrustPolicy {
        guard let root else { return .unsigned }
        let bytes = try InputFile.read(root)
        do {
            return try .pinned(root: bytes, verifiers: .swiftCrypto)
        } catch {
            throw CommandFailure(
                .files, "\(root) cannot be used as a root: \(error.message)", place: root)
        }
    }
}
