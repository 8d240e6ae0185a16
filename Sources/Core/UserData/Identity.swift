/// A device of a user: unique for ever, made once when the store is made.
public struct ClientID: Sendable, Hashable, Codable, Comparable {
    /// The text, such as a UUID.
    public let text: String

    /// Names a device.
    public init(_ text: String) { self.text = text }

    /// The writer of what plain HTTP requests change.
    public static let plainRequests = ClientID("http")
    /// The writer of what the server makes up itself.
    public static let server = ClientID("server")

    /// Orders by UTF-8 bytes, for ties between clocks.
    public static func < (left: ClientID, right: ClientID) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// An operation's identity: who made it, and the how many-th of that device it is.
///
/// It is stored in the same transaction as its effect, on both sides, so a repeated operation gets
/// the answer that it got before.
public struct OperationID: Sendable, Hashable, Codable, Comparable {
    /// The device.
    public let client: ClientID
    /// From 1, without gaps.
    public let counter: UInt64

    /// Names an operation.
    public init(client: ClientID, counter: UInt64) {
        self.client = client
        self.counter = counter
    }

    /// Orders by device, then by counter.
    public static func < (left: OperationID, right: OperationID) -> Bool {
        (left.client, left.counter) < (right.client, right.counter)
    }
}

/// Which record is meant.
public struct RecordKey: Sendable, Hashable, Codable, Comparable {
    /// The collection's name.
    public let collection: String
    /// The record's id, unique in its collection.
    public let id: String

    /// Names a record.
    public init(_ collection: String, _ id: String) {
        self.collection = collection
        self.id = id
    }

    /// Orders by collection, then by id.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        (left.collection, left.id) < (right.collection, right.id)
    }
}
