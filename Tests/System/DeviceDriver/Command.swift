import ContentModel
import Foundation

/// One line of standard input.
struct Command: Decodable, Sendable {
    /// The action.
    enum Action: String, Decodable, Sendable {
        case see, put, delete, count, answer, together
        case sync, status, dump, conflicts, settle, export
        case upgrade, signIn, signOut, clock
    }

    /// One write of a group.
    struct Note: Decodable, Sendable {
        var record: String
        var value: String
    }

    /// The number of the command, which its reply repeats.
    var id: Int
    var action: Action
    var collection: String?
    var record: String?
    var field: String?
    var value: String?
    var by: Int64?
    var names: [String]?
    var notes: [Note]?
    var how: String?
    var shown: String?
    var email: String?
    var erase: Bool?
    var offset: Double?
}

/// What went wrong in a command of the harness itself.
struct CommandError: Error, CustomStringConvertible {
    let description: String
}

/// Replies, one a line, each written whole and at once.
struct Replies: Sendable {
    func send(_ id: Int, _ members: [String: JSONValue]) {
        var members = members
        members["id"] = .integer(id)
        // Whoever reads a closed pipe wants no more replies.
        try? FileHandle.standardOutput.write(
            contentsOf: Data(JSONValue.object(members).canonicalBytes + [0x0A]))
    }
}
