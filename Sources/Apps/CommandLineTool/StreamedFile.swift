import Foundation

/// A file that is written in parts, and that nobody sees before it is whole.
enum StreamedFile {
    /// Writes a file that only this user of the system can read.
    ///
    /// A new or plain file appears by one rename, so that a failure leaves the old one as it was. A pipe or a device
    /// is written through.
    /// - Parameters:
    ///   - path: The file; the target of a link is replaced.
    ///   - body: Writes the parts.
    /// - Returns: The result of `body`.
    /// - Throws: `CocoaError` for a file that cannot be written, or an error of `body`.
    static func write<Value>(
        to path: String, _ body: (FileHandle) async throws -> Value
    ) async throws -> Value {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let kind = try? target.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
        guard kind ?? true else {
            let file = try FileHandle(forWritingTo: target)
            defer { try? file.close() }
            return try await body(file)
        }
        let part = target.deletingLastPathComponent()
            .appending(path: ".\(target.lastPathComponent).\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: part.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteNoPermission) }
        do {
            let file = try FileHandle(forWritingTo: part)
            let value = try await body(file)
            try file.synchronize()
            try file.close()
            guard rename(part.path, target.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            return value
        } catch {
            // The part has no name that anybody looks for.
            try? FileManager.default.removeItem(at: part)
            throw error
        }
    }
}
