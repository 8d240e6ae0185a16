public import Foundation

/// A small value of this device, such as its settings: in a file beside the stores, or in memory.
///
/// A missing or damaged file counts as the initial value.
///
/// ```swift
/// let settings = DeviceFile(folder.appending(path: "study-settings.json"), initial: StudySettings())
/// try await settings.change { $0.theme = .dark }
/// ```
public actor DeviceFile<Value: Codable & Sendable> {
    /// The maximum length of a file that is read, in bytes.
    static var bytesMax: Int { 1024 * 1024 }

    private let url: URL?
    private let initial: Value
    private let isSecret: Bool
    private var inMemory: Value

    /// Creates the value of a file.
    ///
    /// - Parameters:
    ///   - url: The file, in an existing folder; `nil` for a value in memory.
    ///   - initial: The initial value.
    ///   - isSecret: True to distrust a file that others may have read or written: one of another user, a symbolic
    ///     link, or one with rights for others.
    public init(_ url: URL? = nil, initial: Value, isSecret: Bool = false) {
        self.url = url
        self.initial = initial
        self.isSecret = isSecret
        inMemory = initial
    }

    /// The value, as last written by this or another process.
    public var value: Value {
        guard let url else { return inMemory }
        // What cannot be read counts as nothing: the next change writes it anew.
        guard let data = isSecret ? Self.ownData(of: url) : try? Data(contentsOf: url),
            data.count <= Self.bytesMax,
            let value = try? Self.decoder.decode(Value.self, from: data)
        else { return initial }
        return value
    }

    /// Returns the bytes of a file that this user alone can read and write; `nil` for another.
    private static func ownData(of url: URL) -> Data? {
        let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & 0o077 == 0
        else { return nil }
        return try? file.read(upToCount: bytesMax + 1)
    }

    /// Changes the value and writes it by one rename, readable only for this user.
    ///
    /// - Throws: ``StudyProblem`` `notSaved`; the value is unchanged then.
    public func change(_ body: @Sendable (inout Value) -> Void) throws {
        var new = value
        body(&new)
        guard let url else { return inMemory = new }
        do {
            let next = url.appendingPathExtension("new")
            try write(try Self.encoder.encode(new), to: next)
            guard rename(next.path, url.path) == 0 else {
                throw StudyProblem(.notSaved, details: String(cString: strerror(errno)))
            }
        } catch let problem as StudyProblem {
            throw problem
        } catch {
            throw StudyProblem(.notSaved, details: error.localizedDescription)
        }
    }

    /// Writes a file that no other user can read at any moment, not even through remains of an earlier one.
    private func write(_ data: Data, to file: URL) throws {
        unlink(file.path)
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else {
            throw StudyProblem(.notSaved, details: String(cString: strerror(errno)))
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys]
        return encoder
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }
}
