import Foundation

/// The folder of a device's store, as the user named it.
struct DeviceFolder {
    /// The path.
    let path: String

    /// Returns whether the folder has a store, of content, of user data, or of both.
    ///
    /// - Throws: `CommandFailure` when this user may not read the folder.
    func hasStore() throws -> Bool {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).contains(
                where: Self.isDatabase)
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            throw CommandFailure(
                .files,
                "\(path) cannot be read. Let this user read it, or name another folder with --store.",
                place: path)
        } catch {
            // Not a folder, so not a store.
            return false
        }
    }

    private static func isDatabase(_ name: String) -> Bool {
        // A content database that was rebuilt has a number.
        name == "user.sqlite" || name.wholeMatch(of: /content(\.[0-9]+)?\.sqlite/) != nil
    }
}
