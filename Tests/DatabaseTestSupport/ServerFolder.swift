import Foundation

/// A folder of a server. When this process ends, however it ends, the server is killed and the folder removed.
final class ServerFolder: Sendable {
    let path: String
    /// Its other end is read by a shell, which sees the end of this process as the end of its input.
    private let lifeline: FileHandle

    /// Makes a folder.
    ///
    /// - Parameter processFiles: The files in it whose first line is the number of a process to kill.
    init(_ name: String, processFiles: [String]) throws {
        path =
            FileManager.default.temporaryDirectory
            .appending(path: "\(name)-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Programs.give(path)
        let pipe = Pipe()
        lifeline = pipe.fileHandleForWriting
        _ = fcntl(lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let shell = try Spawned(
            ["/bin/sh", "-c", Self.script, "sh", path] + processFiles, output: "/dev/null",
            input: pipe.fileHandleForReading.fileDescriptor)
        // Exit tests wait for any child: one that has ended and is not waited for hides theirs.
        Thread.detachNewThread { _ = shell.wait() }
    }

    deinit { try? lifeline.close() }

    /// Mounts a file system in memory at a new folder.
    ///
    /// - Throws: `ProgramFailure` where this process may not.
    func mount(_ name: String, megabytes: Int) throws {
        let folder = "\(path)/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let status = try Spawned(
            ["/usr/bin/mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder],
            output: "\(path)/mount"
        ).wait()
        guard status == 0 else {
            throw ProgramFailure(description: "Only root can mount a file system.")
        }
        try Programs.give(folder)
    }

    /// Waits for the end of its input, kills, and removes the folder.
    private static let script = """
        trap "" INT TERM HUP
        read -r nothing
        folder=$1
        shift
        for file in "$@"; do
            process=$(head -n 1 "$folder/$file" 2>/dev/null)
            [ -n "$process" ] && kill -CONT "$process" 2>/dev/null && kill -QUIT "$process" 2>/dev/null
        done
        for try in 1 2 3 4 5 6 7 8 9 10; do
            umount "$folder"/* 2>/dev/null
            rm -rf "$folder" 2>/dev/null && exit 0
            sleep 0.2
        done
        """

    /// Returns the number of the process that a file names.
    func process(in file: String) -> pid_t? {
        let text = FileManager.default.contents(atPath: "\(path)/\(file)")
            .map { String(decoding: $0, as: UTF8.self) }
        return text?.split(separator: "\n").first.flatMap { pid_t($0) }
    }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        try Programs.give(file)
    }
}
