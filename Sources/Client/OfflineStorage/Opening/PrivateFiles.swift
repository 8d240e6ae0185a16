package import Foundation

/// Files and folders of a device that no other user of the machine can read.
package enum PrivateFiles {
    /// Read and written by their owner alone.
    package static let fileMode = 0o600
    /// Entered by its owner alone.
    package static let folderMode = 0o700

    /// Makes a folder, and those above it, unless it is there.
    ///
    /// A folder that is there keeps its permissions: it may be the app's own.
    /// - Throws: An error of the file system.
    package static func makeFolder(_ folder: URL) throws {
        let manager = FileManager.default
        let isThere = manager.fileExists(atPath: folder.path)
        try manager.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: isThere ? nil : [.posixPermissions: folderMode])
    }

    /// Makes an empty file unless it is there; private from its first moment on.
    ///
    /// It gets its name only after it was closed: closing a file releases the locks of every other
    /// connection that this process has to it.
    /// When it cannot be made, whoever opens it next reports the reason.
    package static func create(_ file: URL) {
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        let new = file.path + ".\(UUID().uuidString)"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(fileMode))
        guard descriptor >= 0 else { return }
        close(descriptor)
        _ = link(new, file.path)
        unlink(new)
    }

    /// Takes a file from all others, such as one that an earlier version made.
    package static func tighten(_ file: URL) { setMode(fileMode, file) }

    /// Takes a folder from all others.
    package static func tightenFolder(_ folder: URL) { setMode(folderMode, folder) }

    private static func setMode(_ mode: Int, _ item: URL) {
        // What is not there needs no permissions; what belongs to another user is in that user's care.
        try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: item.path)
    }
}
