import Accounts
import ContentModel

/// The approvals of states of the content: entries of the audit log, which all processes of the server share.
///
/// An approval names the fingerprint of the shown content; any edit changes the fingerprint and so revokes it.
struct Approvals: Sendable {
    /// The most entries that are looked through.
    private static let entriesMax = 200

    /// An approval.
    struct Approval: Sendable {
        /// The account that approved.
        var user: String
        /// Its name at that time.
        var name: String
        /// The time, in milliseconds since 1970.
        var at: Int64
    }

    let administration: AdministrationService

    /// Returns the approvals of a state among the newest entries, the newest first.
    ///
    /// That of somebody whose roles were taken since does not count.
    func approvals(of fingerprint: Checksum) async throws -> [Approval] {
        let entries = try await administration.entries(
            limit: Self.entriesMax, action: AuditEntry.Action.contentApproved.rawValue)
        var approvals: [Approval] = []
        for entry in entries where entry.subject == fingerprint.hex {
            let roles = try await administration.roles(of: entry.actor)
            guard roles.contains(.author) || roles.contains(.publisher) else { continue }
            approvals.append(Approval(user: entry.actor, name: entry.detail, at: entry.time))
        }
        return approvals
    }

    /// Writes an approval down.
    func approve(_ fingerprint: Checksum, by user: DeskUser, at now: Int64) async throws {
        try await administration.note(.contentApproved, fingerprint.hex, user.name, by: user.id)
    }
}

extension [Approvals.Approval] {
    /// Returns the newest approval by somebody else, which lets an account publish; `nil` for none.
    func others(than user: String) -> Approvals.Approval? { first { $0.user != user } }

    /// Returns true when an account approved.
    func areBy(_ user: String) -> Bool { contains { $0.user == user } }
}
