package import ContentModel
import Foundation
import ServiceAPI

/// An entry of the audit log: an action on the server, its actor and its time.
///
/// It names accounts by their ids, never by an email, and contains nothing that users wrote.
package struct AuditEntry: Sendable, Hashable {
    /// A kind of action; an open set, since later versions add kinds.
    package struct Action: RawRepresentable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// An account was granted a role; the detail is the role.
        package static let roleGranted = Action(rawValue: "role.granted")
        /// A role of an account was revoked; the detail is the role.
        package static let roleRevoked = Action(rawValue: "role.revoked")
        /// A user deleted their own account.
        package static let accountDeleted = Action(rawValue: "account.deleted")
        /// An operator exported all data of an account to a file.
        package static let accountExported = Action(rawValue: "account.exported")
        /// A board was declared or changed; the subject is its name.
        package static let boardDefined = Action(rawValue: "board.defined")
        /// A board was removed; the subject is its name.
        package static let boardRemoved = Action(rawValue: "board.removed")
        /// A learner's name was removed from boards and events.
        package static let nameHidden = Action(rawValue: "board.name-hidden")
        /// A learner may choose a name again.
        package static let nameAllowed = Action(rawValue: "board.name-allowed")
        /// A live event was declared or changed; the subject is its name.
        package static let eventDefined = Action(rawValue: "event.defined")
        /// A live event that was frozen was opened again.
        package static let eventReopened = Action(rawValue: "event.reopened")
        /// A live event was removed with its submissions; the subject is its name.
        package static let eventRemoved = Action(rawValue: "event.removed")
        /// An operator declared a restore of the database.
        package static let databaseRestored = Action(rawValue: "database.restored")
        /// A reviewer confirmed that a key is wrong; the subject is the proposal's number.
        package static let proposalConfirmed = Action(rawValue: "proposal.confirmed")
        /// A reviewer dismissed a proposal.
        package static let proposalDismissed = Action(rawValue: "proposal.dismissed")
        /// A served release contains the key of a proposal.
        package static let proposalShipped = Action(rawValue: "proposal.shipped")
        /// A reviewer approved a state of the content; the subject is its fingerprint, the detail the reviewer's name.
        package static let contentApproved = Action(rawValue: "content.approved")
        /// A release was published with access to the users' database; the subject is the release's number, the detail
        /// the publisher's name, who may differ from the actor.
        package static let contentPublished = Action(rawValue: "content.published")
        /// A release was rolled back with such access; the subject is the new release's number.
        package static let contentRolledBack = Action(rawValue: "content.rolled-back")
        /// A server began to serve a release; the subject is its number, the detail its manifest.
        package static let releaseServed = Action(rawValue: "release.served")
    }

    /// The entry's number, which increases; 0 before it is stored.
    package var number: Int64 = 0
    /// The time, in milliseconds since 1970.
    package var time: Int64
    /// The actor: `operator:NAME` at the server's machine, `server:HOST`, or the id of an account.
    package var actor: String
    /// The action.
    package var action: Action
    /// The object of the action.
    package var subject: String
    /// Further detail; empty for none.
    package var detail: String

    /// Describes an action; texts are truncated to ``ServiceLimits/auditTextBytesMax`` bytes and lose control
    /// characters and line breaks, so that no text can imitate an entry.
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

    /// Returns the entry of a user's deletion of their own account, at a time in seconds since 1970.
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

    /// The entry as JSON, with its time in ISO 8601.
    package var json: JSONValue {
        let date = Date(timeIntervalSince1970: Double(time) / 1000)
        return [
            "number": .integer(Int(number)), "time": .string(date.formatted(.iso8601)),
            "actor": .string(actor), "action": .string(action.rawValue),
            "subject": .string(subject), "detail": .string(detail),
        ]
    }
}
