public import Foundation

/// A folder that is removed with the value that made it.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public var path: String { url.path }

    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "underway-test-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    public func write(_ bytes: [UInt8], to path: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    public func read(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url.appending(path: path)))
    }

    public func text(_ path: String) throws -> String {
        String(decoding: try read(path), as: UTF8.self)
    }

    public func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: path).path)
    }

    public func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: url.appending(path: path))
    }
}
