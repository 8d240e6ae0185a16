package import Foundation

/// Files and folders of a device that no other user of the machine can read.
package enum PrivateFiles {
    /// The permissions of a file: read and written by its owner alone.
    package static let fileMode = 0o600
    /// The permissions of a folder: entered by its owner alone.
    package static let folderMode = 0o700

    /// Creates a folder, and those above it, unless it exists.
    ///
    /// The permissions of an existing folder do not change: it may be the app's own.
    /// - Throws: An error of the file system.
    package static func makeFolder(_ folder: URL) throws {
        let manager = FileManager.default
        let isThere = manager.fileExists(atPath: folder.path)
        try manager.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: isThere ? nil : [.posixPermissions: folderMode])
    }

    /// Creates an empty file unless it exists; it is private from its first moment.
    ///
    /// The file is named only after it was closed: closing a file releases the locks of every other
    /// connection that this process has to it. A failure is reported by the next opening.
    package static func create(_ file: URL) {
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        let new = file.path + ".\(UUID().uuidString)"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(fileMode))
        guard descriptor >= 0 else { return }
        close(descriptor)
        _ = link(new, file.path)
        unlink(new)
    }

    /// Restricts a file to its owner.
    package static func tighten(_ file: URL) { setMode(fileMode, file) }

    /// Restricts a folder to its owner.
    package static func tightenFolder(_ folder: URL) { setMode(folderMode, folder) }

    private static func setMode(_ mode: Int, _ item: URL) {
        // A missing file needs no permissions; another user's cannot be changed.
        try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: item.path)
    }
}
