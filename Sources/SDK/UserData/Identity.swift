/// A device's identity: globally unique, created once with the store.
public struct ClientID: Sendable, Hashable, Codable, Comparable {
    /// The text, such as a UUID.
    public let text: String

    /// Creates an identity.
    public init(_ text: String) { self.text = text }

    /// The author of changes by plain HTTP requests.
    public static let plainRequests = ClientID("http")
    /// The author of changes by the server itself.
    public static let server = ClientID("server")

    /// Orders by UTF-8 bytes, to break ties between clocks.
    public static func < (left: ClientID, right: ClientID) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// The device that made the operation and that device's sequence number, from 1.
///
/// Device and server store it in the transaction of its effect, so that a repeated operation gets the same result.
public struct OperationID: Sendable, Hashable, Codable, Comparable {
    /// The device.
    public let client: ClientID
    /// The device's sequence number, from 1 without gaps.
    public let counter: UInt64

    /// Creates an operation's identity.
    public init(client: ClientID, counter: UInt64) {
        self.client = client
        self.counter = counter
    }

    /// Orders by device, then by counter.
    public static func < (left: OperationID, right: OperationID) -> Bool {
        (left.client, left.counter) < (right.client, right.counter)
    }
}

/// The identity of a record: its collection and its id there.
///
/// ```swift
/// for await keys in userData.changedRecords() where keys.contains(RecordKey("goals", "daily")) {
///     let goal = try await userData.perform { try $0.record(Goal.self, id: "daily") }
///     print(goal?.minutesADay ?? 0)
/// }
/// ```
public struct RecordKey: Sendable, Hashable, Codable, Comparable {
    /// The collection's name.
    public let collection: String
    /// The record's id, unique within its collection.
    public let id: String

    /// Creates a record's identity.
    public init(_ collection: String, _ id: String) {
        self.collection = collection
        self.id = id
    }

    /// Orders by collection, then by id.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        (left.collection, left.id) < (right.collection, right.id)
    }
}
