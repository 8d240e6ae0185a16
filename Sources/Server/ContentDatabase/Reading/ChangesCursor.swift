import ContentModel

/// A position in the changes of an exam, which a client returns unchanged.
///
/// The time comes first, because it survives a rebuild of the database; revision and id make the position exact among
/// several changes with the same time.
package struct ChangesCursor: Hashable, Sendable, CustomStringConvertible {
    /// The epoch of the revision.
    package var epoch: String
    /// The time of the last change that the client knows.
    package var time: Moment
    /// The revision of that change; 0 before the first of that time.
    package var revision: Int64
    /// The question of that change; empty before the first of that revision.
    package var id: String

    /// Creates a position.
    package init(epoch: String, time: Moment, revision: Int64, id: String) {
        self.epoch = epoch
        self.time = time
        self.revision = revision
        self.id = id
    }

    /// Parses the text form.
    ///
    /// - Returns: `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, Self.isEpoch(parts[0]),
            let time = Int64(parts[1]), (0...Self.microsecondsMax).contains(time),
            let revision = Int64(parts[2]), revision >= 0,
            parts[3].isEmpty || Identifier.isValid(parts[3])
        else { return nil }
        epoch = String(parts[0])
        self.time = Moment(microseconds: time)
        self.revision = revision
        id = String(parts[3])
    }

    /// The text form, which needs no escaping in a URL.
    package var description: String { "\(epoch).\(time.microseconds).\(revision).\(id)" }

    /// The end of the year 9999.
    private static let microsecondsMax: Int64 = 253_402_300_799_999_999

    private static func isEpoch(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 8
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
