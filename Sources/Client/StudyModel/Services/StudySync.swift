public import Foundation
public import Underway

/// The sync of content and user data, as screens show and start it.
public protocol StudySync: Sendable {
    /// The state of the sync of content.
    var contentStatus: SyncStatus<SyncReport> { get }
    /// The state of the sync of user data; `nil` where the content's host has none.
    var userDataStatus: SyncStatus<UserDataReport>? { get }
    /// Checks for content and exchanges user data now; ends when both have ended.
    func syncNow() async
    /// Returns the files of a group by name, fetching those that are not on the device.
    ///
    /// - Throws: `SyncError`.
    func files(_ group: FileGroup) async throws -> [String: URL]
}
