package import ContentModel
import Foundation
import ServiceAPI

/// A line of the audit log: who did what to the server, and when.
///
/// It names accounts by their ids, never by an email, and has nothing of what users wrote.
package struct AuditEntry: Sendable, Hashable {
    /// A kind of action: an open set, since a later version writes others.
    package struct Action: RawRepresentable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// A role was given to an account; the detail is the role.
        package static let roleGranted = Action(rawValue: "role.granted")
        /// A role was taken from an account; the detail is the role.
        package static let roleRevoked = Action(rawValue: "role.revoked")
        /// A user deleted the own account.
        package static let accountDeleted = Action(rawValue: "account.deleted")
        /// An operator wrote all data of an account into a file.
        package static let accountExported = Action(rawValue: "account.exported")
        /// A board was declared or changed; the subject is its name.
        package static let boardDefined = Action(rawValue: "board.defined")
        /// A board was removed; the subject is its name.
        package static let boardRemoved = Action(rawValue: "board.removed")
        /// A learner's name was taken from boards and events.
        package static let nameHidden = Action(rawValue: "board.name-hidden")
        /// A learner may choose a name again.
        package static let nameAllowed = Action(rawValue: "board.name-allowed")
        /// A live event was declared or changed; the subject is its name.
        package static let eventDefined = Action(rawValue: "event.defined")
        /// A live event that was frozen was opened again.
        package static let eventReopened = Action(rawValue: "event.reopened")
        /// A live event was removed with its submissions; the subject is its name.
        package static let eventRemoved = Action(rawValue: "event.removed")
        /// A restore of the database was declared.
        package static let databaseRestored = Action(rawValue: "database.restored")
        /// Somebody decided that a key is wrong; the subject is the proposal's number.
        package static let proposalConfirmed = Action(rawValue: "proposal.confirmed")
        /// Somebody decided that nothing is to be done about a proposal.
        package static let proposalDismissed = Action(rawValue: "proposal.dismissed")
        /// A served release has the key of a proposal.
        package static let proposalShipped = Action(rawValue: "proposal.shipped")
        /// Somebody approved a state of the content; the subject is its fingerprint, the detail the person's name.
        package static let contentApproved = Action(rawValue: "content.approved")
        /// Somebody published with the users' data at hand; the subject is the release's number, the detail the name of who
        /// made it, for whom another may have written the entry.
        package static let contentPublished = Action(rawValue: "content.published")
        /// Somebody rolled back so; the subject is the new release's number.
        package static let contentRolledBack = Action(rawValue: "content.rolled-back")
        /// A server began to serve a release; the subject is its number, the detail its manifest.
        package static let releaseServed = Action(rawValue: "release.served")
    }

    /// The number of the entry, which grows; 0 before it is stored.
    package var number: Int64 = 0
    /// The time, in milliseconds since 1970.
    package var time: Int64
    /// Who did it: `operator:NAME` at the server's machine, `server:HOST`, or the id of an account.
    package var actor: String
    /// What was done.
    package var action: Action
    /// What it was done to.
    package var subject: String
    /// More of it; empty for nothing.
    package var detail: String

    /// Describes an action; texts are cut after ``ServiceLimits/auditTextBytesMax`` bytes, and are without control
    /// characters and line breaks, so that none can look like an entry of its own.
    package init(
        number: Int64 = 0, time: Int64, actor: String, _ action: Action, _ subject: String,
        _ detail: String = ""
    ) {
        self.number = number
        self.time = time
        self.actor = Self.cut(actor)
        self.action = action
        self.subject = Self.cut(subject)
        self.detail = Self.cut(detail)
    }

    /// Describes that a user deleted the own account, at a time in seconds since 1970.
    package static func deletion(of user: String, at seconds: Int64) -> AuditEntry {
        AuditEntry(time: seconds * 1000, actor: user, .accountDeleted, user)
    }

    private static func cut(_ text: String) -> String {
        var text = String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: false
                    default: true
                    }
                }))
        while text.utf8.count > ServiceLimits.auditTextBytesMax { text.removeLast() }
        return text
    }

    /// The entry as JSON; its time by ISO 8601.
    package var json: JSONValue {
        let date = Date(timeIntervalSince1970: Double(time) / 1000)
        return [
            "number": .integer(Int(number)), "time": .string(date.formatted(.iso8601)),
            "actor": .string(actor), "action": .string(action.rawValue),
            "subject": .string(subject), "detail": .string(detail),
        ]
    }
}
