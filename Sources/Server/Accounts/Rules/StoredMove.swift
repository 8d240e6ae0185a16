import Foundation
import Tables
package import UserData

/// A stored move of an account into another account.
///
/// The account gets another id when the move begins, so that no request finds it. It counts as deleted for boards,
/// statistics and the review. Upkeep erases its rows after the move. The row of the move stays, so that its devices
/// learn the new account.
package struct StoredMove: Sendable, Hashable {
    /// The former id of the moved account.
    package var source: String
    /// The id of the target account; a later one if the target moved on.
    package var target: String
    /// The number of answers of the moved account.
    package var answers: Int
    /// True when the target has all data.
    package var isDone: Bool
    /// The progress.
    package var place: MovePlace

    package init(
        source: String, target: String, answers: Int, isDone: Bool = false,
        place: MovePlace = MovePlace()
    ) {
        self.source = source
        self.target = target
        self.answers = answers
        self.isDone = isDone
        self.place = place
    }

    /// The id of the account during the move, which no token or request can contain.
    package var closedID: String { Self.closedID(of: source) }

    /// Returns the id of an account during its move.
    package static func closedID(of source: String) -> String { "moving " + source }
}

/// The progress of a move: each step begins at the end of the previous one.
///
/// A step that was committed without its progress is repeated, and finds its rows in the target.
package struct MovePlace: Sendable, Hashable, Codable {
    /// The position of the device whose answers are copied, among the account's devices.
    package var device = 0
    /// The number of that device's next answer.
    package var next: UInt64 = 1
    /// The device name of its answers in the target; empty for the device's own name.
    package var name = ""
    /// The offset that is subtracted from the answers' numbers under `name`.
    package var base: UInt64 = 0
    /// The position of the last merged record.
    package var position: UInt64 = 0
    /// True when the target has all answers.
    package var hasAnswers = false
    /// True when the target also has all records.
    package var hasRecords = false
    /// The number of processed answers.
    package var answers = 0
    /// The number of processed records.
    package var records = 0
    /// The number of differences among the records.
    package var differences = 0

    package init() {}

    /// The stored form.
    package var text: String {
        get throws {
            let encoder = JSONEncoder()
            // Texts are compared: a step whose place is another one was not the first.
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// Parses the stored form.
    ///
    /// - Throws: `StorageError` `damaged`.
    package init(text: String) throws {
        do {
            self = try JSONDecoder().decode(MovePlace.self, from: Data(text.utf8))
        } catch {
            throw StorageError.damaged("moves")
        }
    }

    /// Advances to the next device.
    package mutating func endDevice() {
        device += 1
        (next, name, base) = (1, "", 0)
    }
}

/// An account in a move, as its first step reads it.
package struct MoveParty: Sendable, Hashable {
    /// The number of answers.
    package var answers = 0
    /// The size of the answers, in bytes.
    package var answerBytes = 0
    /// The size of the records, in bytes.
    package var recordBytes = 0
    /// The number of records by collection.
    package var collections: [String: Int] = [:]
    /// The device names that have answers.
    package var names: Set<String> = []
    /// True when the account has a role.
    package var hasRole = false
    /// True when another account is moving into it.
    package var isReceiving = false
    /// The end of the last way back to a previous email of the account, in seconds since 1970; `nil` for none.
    package var wayBackEndsAt: Int64?

    package init() {}

    /// The collection of what a user agreed to, which the target account decides for itself.
    package static let consents = CollectionRules.consents.declaration.name

    /// Returns true for a record that moves into the target: no consent, and nothing deleted.
    package static func moves(_ record: UserRecord) -> Bool {
        !record.isDeleted && record.key.collection != consents
    }

    /// Subtracts records that do not move.
    ///
    /// - Parameters:
    ///   - records: Their number.
    ///   - bytes: Their size.
    ///   - collection: Their collection.
    mutating func leaveBehind(_ records: Int, bytes: Int, of collection: String) {
        recordBytes -= bytes
        let left = collections[collection, default: 0] - records
        collections[collection] = left > 0 ? left : nil
    }
}

/// A change of a move.
package enum MoveChange: Sendable, Hashable {
    /// Closes an account and begins its move; for an unknown account, only stores its target.
    ///
    /// The time is in milliseconds since 1970.
    case begin(StoredMove, at: Int64)
    /// Stores the progress of a move, unless another step was first.
    ///
    /// With a device, the results of its operations are copied too.
    case advance(StoredMove, to: MovePlace, results: String?)
    /// Moves the remaining data and closes the account for good.
    case finish(StoredMove, at: Int64)
}
