import Foundation
import Tables

/// A move of an account into another one, as the storage has it.
///
/// The account takes another id when the move begins, so that no request finds it, and counts as deleted for boards,
/// statistics and the review. Upkeep erases its rows once the move is done; the row of the move stays, so that its
/// devices learn where everything went.
package struct StoredMove: Sendable, Hashable {
    /// The id that the moved account had.
    package var source: String
    /// The id of the account that it moves into; another one when that account moved on.
    package var target: String
    /// The number of answers that the account had.
    package var answers: Int
    /// True when everything is in the target.
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

    /// The id of the account while it moves: no token and no request can contain it.
    package var closedID: String { Self.closedID(of: source) }

    /// Returns the id that an account has while it moves.
    package static func closedID(of source: String) -> String { "moving " + source }
}

/// The progress of a move: each step begins where the last one ended.
///
/// A step that was committed without its progress is repeated, and finds its rows in the target.
package struct MovePlace: Sendable, Hashable, Codable {
    /// The place of the device whose answers are copied, among those of the account.
    package var device = 0
    /// The number of that device's next answer.
    package var next: UInt64 = 1
    /// The name under which its answers go on in the target; empty for the device's own.
    package var name = ""
    /// The number by which the answers' numbers under `name` are smaller.
    package var base: UInt64 = 0
    /// The position of the last merged record.
    package var position: UInt64 = 0
    /// True when all answers are in the target.
    package var hasAnswers = false
    /// True when all records are, too.
    package var hasRecords = false
    /// The number of answers that were handled.
    package var answers = 0
    /// The number of records that were handled.
    package var records = 0
    /// The number of differences among them.
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

    /// Reads the stored form.
    ///
    /// - Throws: `StorageError` `damaged`.
    package init(text: String) throws {
        do {
            self = try JSONDecoder().decode(MovePlace.self, from: Data(text.utf8))
        } catch {
            throw StorageError.damaged("moves")
        }
    }

    /// Begins with the next device.
    package mutating func endDevice() {
        device += 1
        (next, name, base) = (1, "", 0)
    }
}

/// An account that takes part in a move, as its first step sees it.
package struct MoveParty: Sendable, Hashable {
    /// The number of answers.
    package var answers = 0
    /// The bytes of the answers.
    package var answerBytes = 0
    /// The bytes of the records.
    package var recordBytes = 0
    /// The number of records by collection.
    package var collections: [String: Int] = [:]
    /// The names of devices that have answers.
    package var names: Set<String> = []
    /// True when the account has a role.
    package var hasRole = false
    /// True when another account moves into it.
    package var isReceiving = false
    /// The end of the last way back to an email that the account left, in seconds since 1970; `nil` for none.
    package var wayBackEndsAt: Int64?

    package init() {}
}

/// A change of a move.
package enum MoveChange: Sendable, Hashable {
    /// Closes an account and begins its move; for one that does not exist, only notes where it went.
    ///
    /// The time is in milliseconds since 1970.
    case begin(StoredMove, at: Int64)
    /// Notes the progress of a move, unless another step was first.
    ///
    /// With a device, the results of its operations are copied as well.
    case advance(StoredMove, to: MovePlace, results: String?)
    /// Moves what is left and closes the account for good.
    case finish(StoredMove, at: Int64)
}
