import Foundation
import GRDB
import Synchronization

/// A database of a device: opened for writing or, where the disk does not allow that, for reading.
///
/// Errors of SQLite leave it as `StoreError`. A database that could only be read is tried again with each
/// write, so that a store recovers when there is room again.
final class StoreDatabase: Sendable {
    /// What is in a database.
    enum Kind: Sendable {
        /// Content, which a sync can fetch again.
        case content
        /// What a user does, which may exist nowhere else.
        case userData

        var remedy: String {
            switch self {
            case .content: "The next sync repairs it."
            case .userData:
                "It was left as it is; move it away, with the files of the same name that end in -wal and"
                    + " -shm, to go on with what the server has."
            }
        }
    }

    /// How a database is opened, and what to do about damage.
    struct Source: Sendable {
        var kind: Kind
        var migrator: DatabaseMigrator
        /// The file to open next.
        var file: @Sendable () -> URL
        /// Opens the database for writing, with its present schema.
        var open: @Sendable () throws -> Opened
        /// Called for each sign of damage.
        var damageFound: @Sendable () -> Void = {}
    }

    /// An open database.
    struct Opened: Sendable {
        var writer: any DatabaseWriter
        var file: URL
        var access = StoreAccess.readWrite
        /// True when there is user data that cannot even be read; the writer is empty then.
        var isUnreadable = false
        /// The file itself, whatever is at its path later; `nil` where it is not watched.
        var identity: FileIdentity?
        /// True when another file took this one's place.
        var isReplaced: @Sendable () -> Bool = { false }
    }

    private let source: Source
    /// Locked only to copy a value, never while the database is used.
    private let opened: Mutex<Opened>

    /// Opens a database.
    ///
    /// - Throws: `StoreError` `damaged` when user data cannot be read; damaged content is replaced.
    init(_ source: Source) throws {
        self.source = source
        opened = Mutex(try Self.open(source))
    }

    /// Takes a database that is open.
    init(_ writer: any DatabaseWriter, _ kind: Kind, _ migrator: DatabaseMigrator) {
        let opened = Opened(writer: writer, file: URL(fileURLWithPath: writer.path))
        source = Source(kind: kind, migrator: migrator, file: { opened.file }, open: { opened })
        self.opened = Mutex(opened)
    }

    /// Whether changes are saved, as far as it is known.
    var access: StoreAccess { opened.withLock { $0.access } }

    /// Reads in one transaction.
    ///
    /// - Throws: `StoreError` `storage` or `damaged`, or what `body` throws.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let current = try readable()
        return try translating(current) { try current.writer.read(body) }
    }

    /// Writes in one transaction.
    ///
    /// - Throws: `StoreError` `storage` or `damaged`, or what `body` throws; nothing has changed then.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let current = try writable()
        return try translating(current) { try current.writer.write(body) }
    }

    /// Looks at the database a second time: what was written must be in the file at its path.
    ///
    /// - Parameter body: Reads what is to be the same in both; called for this connection and for another.
    /// - Throws: `StoreError` `storage` where the file was removed or replaced, or does not have what was
    ///   written; `damaged` where it cannot be read.
    func confirm<Value: Equatable>(_ body: (Database) throws -> Value) throws {
        let current = opened.withLock { $0 }
        guard current.access == .readWrite, let identity = current.identity else { return }
        try translating(current) { try SecondLook(current.file, identity).confirm(current, body) }
    }

    /// Opens the database for writing unless it is.
    ///
    /// - Throws: `StoreError` `storage` when the disk does not allow it.
    @discardableResult
    func writable() throws -> Opened {
        let current = try current()
        guard current.access != .readWrite else { return current }
        let new = try Self.openForWriting(source)
        replace(new)
        return new
    }

    /// What can be read: user data that cannot must not look like none.
    private func readable() throws -> Opened {
        let current = try current()
        guard current.isUnreadable else { return current }
        let new = try Self.open(source)
        replace(new)
        guard new.isUnreadable else { return new }
        throw StoreError(
            .storage,
            "\(new.file.path) cannot be read. Let this user read and write it, or name another folder."
        )
    }

    private func current() throws -> Opened {
        let current = opened.withLock { $0 }
        guard current.access == .readWrite, current.isReplaced() else { return current }
        let new = try Self.open(source)
        replace(new)
        return new
    }

    private func replace(_ new: Opened) { opened.withLock { $0 = new } }

    private static func open(_ source: Source) throws -> Opened {
        do {
            return try openForWriting(source)
        } catch let error as StoreError where error.code == .storage || source.kind == .content {
            return try openForReading(source, error.message)
        }
    }

    private static func openForWriting(_ source: Source) throws -> Opened {
        do {
            return try source.open()
        } catch let error as DatabaseError {
            throw StoreError(error, source.file(), source.kind)
        } catch let error as CocoaError {
            let folder = source.file().deletingLastPathComponent().path
            throw StoreError(
                .storage,
                error.code == .fileWriteOutOfSpace
                    ? "The disk is full: \(folder) cannot be made. Make room and try again."
                    : "\(folder) cannot be made or is not a folder. Name another.", error)
        }
    }

    private static func openForReading(_ source: Source, _ reason: String) throws -> Opened {
        let file = source.file()
        do {
            let writer = try ReadOnlyDatabase.open(file, source.migrator)
            return Opened(writer: writer, file: file, access: .readOnly(reason: reason))
        } catch is ReadOnlyDatabase.Unreadable {
            return try openEmpty(source, file, reason, isUnreadable: source.kind == .userData)
        } catch let error as DatabaseError {
            source.damageFound()
            guard source.kind == .content else { throw StoreError(error, file, source.kind) }
            return try openEmpty(source, file, reason)
        }
    }

    private static func openEmpty(
        _ source: Source, _ file: URL, _ reason: String, isUnreadable: Bool = false
    ) throws -> Opened {
        Opened(
            writer: try ReadOnlyDatabase.empty(source.migrator), file: file,
            access: .readOnly(reason: reason), isUnreadable: isUnreadable)
    }

    private func translating<Value>(_ opened: Opened, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            let failure = StoreError(error, opened.file, source.kind)
            if failure.code == .damaged { source.damageFound() }
            throw failure
        } catch let error as RowDecodingError {
            // The schema does not admit a value of another kind.
            source.damageFound()
            throw StoreError(
                .damaged, "\(opened.file.path) is damaged. \(source.kind.remedy)", error)
        }
    }
}
