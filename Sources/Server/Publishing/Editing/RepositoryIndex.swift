import Foundation

/// The index of a repository, held by git's own lock: until it is released, no command commits, merges or stages.
struct RepositoryIndex {
    /// The file.
    let path: String

    private let lock: String
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: `PublishingError` `unwritable` while another command has it.
    init(of repository: ContentRepository) throws {
        let name = try repository.run(["rev-parse", "--git-path", "index"])
            .trimmingCharacters(in: .newlines)
        path = name.hasPrefix("/") ? name : repository.folder + "/" + name
        lock = path + ".lock"
        guard let descriptor = Self.lock(lock) else {
            throw PublishingError(
                .unwritable,
                "git could not commit the change of \(repository.folder), which is saved: another git command is at work"
                    + " there (\(lock)). Try again when it has ended.")
        }
        self.descriptor = descriptor
    }

    /// Makes the lock file, or takes over one of this program that was killed: the system ends its lock with it.
    private static func lock(_ path: String) -> Int32? {
        var descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        let isNew = descriptor >= 0
        if !isNew { descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, isNew ? LOCK_EX : LOCK_EX | LOCK_NB) == 0,
            isNew || isOwn(descriptor, path)
        {
            if isNew { _ = mark.withUTF8Buffer { write(descriptor, $0.baseAddress, $0.count) } }
            return descriptor
        }
        close(descriptor)
        return nil
    }

    /// The content of this program's lock; git's own is empty or begins with "DIRC".
    private static let mark: StaticString = "underway\n"

    /// Returns true when the file has the mark and still stands under its name.
    private static func isOwn(_ descriptor: Int32, _ path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0,
            (opened.st_dev, opened.st_ino) == (named.st_dev, named.st_ino)
        else { return false }
        var bytes = [UInt8](repeating: 0, count: mark.utf8CodeUnitCount)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count == bytes.count && mark.withUTF8Buffer { $0.elementsEqual(bytes) }
    }

    /// Copies it; there may be none.
    func copy(to copy: String) throws {
        guard Files.look(path) != nil else { return }
        try FileManager.default.copyItem(atPath: path, toPath: copy)
    }

    /// Puts a changed copy in its place.
    func replace(by copy: String) throws {
        try OutputFile.write(Files.read(copy), to: path)
    }

    /// Lets others have it.
    func release() {
        Files.remove(lock)
        close(descriptor)
    }
}
