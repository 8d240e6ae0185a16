public import Underway

/// The changes that wait for the network.
public protocol StudyOutbox: Sendable {
    /// Returns the pending changes, the oldest first.
    func outbox() async throws -> [PendingChange]
}

extension UserStore: StudyOutbox {}

/// The messages of the installed release.
public protocol StudyMessages: Sendable {
    /// Returns all announcements, whoever they are for.
    func announcements() async throws -> Fresh<[Announcement]>
    /// Returns the bytes of an asset, such as the picture of an announcement.
    func asset(_ path: String) async throws -> Fresh<[UInt8]>
}

extension OfflineStore: StudyMessages {}

/// The release that was installed before the present one.
public protocol FormerContent: Sendable {
    /// Returns its manifest; `nil` when the device no longer has it.
    func formerManifest() async throws -> Manifest?
    /// Returns a bank as it was in it; `nil` when the bank was not there.
    func formerBlueprint(_ bank: QuestionFilter.Bank) async throws -> Blueprint?
}

extension OfflineStore: FormerContent {}

extension StudyServices {
    /// The outbox; `nil` for user data without one.
    public var outbox: (any StudyOutbox)? { userData as? any StudyOutbox }
    /// The messages; `nil` for content without any.
    public var messages: (any StudyMessages)? { content as? any StudyMessages }
    /// The release before; `nil` for content without one.
    public var formerContent: (any FormerContent)? { content as? any FormerContent }
}
