import ArgumentParser
import ContentServer
import DeskWeb
import Foundation
import Ledger
import ServerApplication
import Workflows

/// The options of the author's desk.
struct DeskServeOptions: ParsableArguments {
    @Option(
        help: "A content folder that authors edit and publish at /desk, in a browser.",
        transform: PathArgument.path)
    var desk: String?

    @Option(
        help:
            "The address of the desk as browsers see it, for example https://desk.example.org; without TLS only this machine's own."
    )
    var deskOrigin: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Publish from the desk only what a second person has approved.")
    var deskApproval: Bool?

    @Option(
        help:
            "The folder of the keys that sign the desk's releases, if devices require signatures.",
        transform: PathArgument.path)
    var deskKeys: String?

    /// Checks the options together.
    ///
    /// - Throws: `ValidationError`.
    func check(hasUsers: Bool) throws {
        guard desk != nil else {
            guard deskOrigin == nil, deskApproval != true, deskKeys == nil else {
                throw ValidationError(
                    "--desk-origin, --desk-approval and --desk-keys need a desk. Name its content folder with --desk."
                )
            }
            return
        }
        guard hasUsers else {
            throw ValidationError(
                "--desk needs accounts, so that authors can sign in. Name the folder of users' data with --data."
            )
        }
        guard deskOrigin.map({ DeskOrigin($0) != nil }) ?? true else {
            throw ValidationError(
                "--desk-origin takes an address as https://desk.example.org, without a path; http:// only for this machine."
            )
        }
    }

    /// Opens the desk.
    ///
    /// - Parameters:
    ///   - users: The service of accounts.
    ///   - options: The options of the server.
    /// - Returns: `nil` without `--desk`.
    /// - Throws: `CommandFailure`.
    func open(_ users: UserBackend?, _ options: ServerOptions) throws -> DeskApp? {
        guard let desk, let users else { return nil }
        guard FileManager.default.fileExists(atPath: desk + "/underway.yaml") else {
            throw CommandFailure(
                .notFound, "There is no content folder \(desk): it has no underway.yaml.",
                place: desk)
        }
        guard let origin = DeskOrigin(deskOrigin ?? "http://\(options.host):\(options.port)") else {
            throw CommandFailure(
                .usage,
                "The desk at \(options.host) needs TLS: name its address with --desk-origin https://…"
            )
        }
        var deskOptions = DeskOptions(content: desk, release: options.release, origin: origin)
        deskOptions.needsApproval = deskApproval == true
        if let deskKeys {
            // A folder that cannot be used is told now, not at the first publish.
            try Workplace(content: desk, release: options.release, keys: deskKeys)
                .checkSigningKeys()
            deskOptions.keys = deskKeys
        }
        return try DeskApp(
            deskOptions, users: users, shares: options.answerShares, proxies: options.proxies)
    }
}
