import ContentModel
import Foundation
import Logging
import OfflineStorage
import RemoteAssets
import ServiceAPI

/// The sign-out, with the revocations that are sent to the server later.
extension Account {
    /// The time limit of a request in the background of another step.
    static let errandDeadline: Duration = .seconds(3)

    /// Signs the user out on this device; returns as soon as the store has, without waiting for the network.
    ///
    /// The server revokes the session at once if it can be reached, else before a later request; without either, the
    /// session expires.
    /// - Parameters:
    ///   - erasing: True to remove the user's data from the device.
    ///   - lossIsAccepted: True when the user accepted the loss of unsent changes.
    /// - Throws: `StoreError` `unsent` when changes would be lost: sync, or ask the user.
    public func signOut(erasing: Bool, lossIsAccepted: Bool = false) async throws {
        try await lane.steps.run {
            let user = store.user
            try store.signOut(erasing: erasing, lossIsAccepted: lossIsAccepted)
            // A deletion that was not answered yet still needs the token.
            if try !store.intendedDeletions().contains(user) { try enqueueRevocation(of: user) }
            logger.debug("signed out", metadata: ["erasing": "\(erasing)"])
        }
        // Belongs to nobody: whoever signs out must not wait for a host that may be silent.
        Task { await revokeSignedOut() }
    }

    /// Sends the pending revocations for this server, each for at most 3 s; the rest waits for the next call.
    ///
    /// It is meant for a program that exits after a sign-out; the SDK calls it before other requests.
    public func revokeSignedOut() async {
        // A cancelled caller leaves the tokens for the next one.
        _ = await lane.revoking.value { await revokeAll() }
    }

    private func revokeAll() async {
        guard let origin = try? "\(client.origin)" else { return }
        let waiting = RevocationList(in: secrets).tokens.filter { $0.origin == origin }
        for token in waiting {
            do {
                try await client.within(Self.errandDeadline).perform(
                    "POST", path("revoke"), ["refresh_token": .string(token.refreshToken)])
            } catch let error as ServiceError where error.isFinal {
                // The server knows the token and refuses it: there is nothing left to revoke.
            } catch {
                return
            }
            // Secrets that cannot be written: the token is revoked once more, which changes nothing.
            try? RevocationList(in: secrets).removing(token).save(in: secrets)
        }
    }

    /// Adds a token that this device does not need to the list of pending revocations.
    func enqueueRevocation(of tokens: AccountBody.Tokens) throws {
        try RevocationList(in: secrets)
            .adding(tokens.refreshToken, origin: "\(try client.origin)", now: Date())
            .save(in: secrets)
    }

    /// Moves the token of a signed-out user to the list of pending revocations.
    private func enqueueRevocation(of user: String) throws {
        if let bound = try storedTokens(of: user) {
            try RevocationList(in: secrets)
                .adding(bound.tokens.refreshToken, origin: bound.origin, now: Date())
                .save(in: secrets)
        }
        try save(nil, of: user)
    }
}

/// The tokens of sign-outs that the server may not have received, the oldest first.
struct RevocationList: Codable {
    /// A token to revoke.
    struct Token: Codable, Hashable {
        var origin: String
        var refreshToken: String
        var since: Date
    }

    private static let name = "to revoke"
    /// The maximum number of pending revocations; older tokens expire on the server.
    static let countMax = 8
    /// The days after which a token has expired on the server in any case.
    static let daysMax = 60

    var tokens: [Token] = []

    /// Reads the list; empty if it cannot be read.
    init(in secrets: any SecretStore) {
        // What cannot be read expires on the server: nobody must wait for that.
        guard let data = try? secrets.secret(Self.name),
            let list = try? JSONDecoder().decode(Self.self, from: data)
        else { return }
        self = list
    }

    /// Returns the list with a token at its end, without those that are too old or too many.
    func adding(_ refreshToken: String, origin: String, now: Date) -> Self {
        var list = self
        list.tokens.append(Token(origin: origin, refreshToken: refreshToken, since: now))
        let oldest = now.addingTimeInterval(-Double(Self.daysMax) * 86_400)
        list.tokens = list.tokens.filter { $0.since > oldest }.suffix(Self.countMax)
        return list
    }

    /// Returns the list without a token.
    func removing(_ token: Token) -> Self {
        var list = self
        list.tokens.removeAll { $0.refreshToken == token.refreshToken }
        return list
    }

    /// Saves the list.
    func save(in secrets: any SecretStore) throws {
        try secrets.set(Self.name, tokens.isEmpty ? nil : try JSONEncoder().encode(self))
    }
}
