import ContentModel
import Foundation
import GRDB
import ServiceAPI
import Synchronization

/// A database of a device: opened for writing or, if the disk does not allow that, for reading.
///
/// Errors of SQLite are converted to ``StoreError``. After a read-only opening each write tries to open the database
/// for writing, so that a store recovers when there is space again.
final class StoreDatabase: Sendable {
    /// The content of a database, which decides the remedy for damage.
    enum Kind: Sendable {
        /// Content, which a sync can fetch again.
        case content
        /// User data, which may exist nowhere else.
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

    /// A recipe for opening a database, with a callback for damage.
    struct Source: Sendable {
        var kind: Kind
        var migrator: DatabaseMigrator
        /// The file to open next.
        var file: @Sendable () -> URL
        /// The function that opens the database for writing and migrates it.
        var open: @Sendable () throws -> Opened
        /// The callback for each sign of damage.
        var damageFound: @Sendable () -> Void = {}
    }

    /// An open database.
    struct Opened: Sendable {
        var writer: any DatabaseWriter
        var file: URL
        var access = StoreAccess.readWrite
        /// True when there is user data that cannot be read; the writer is empty then.
        var isUnreadable = false
        /// The file's identity, independent of its path; `nil` if it is not watched.
        var identity: FileIdentity?
        /// The check whether another file has replaced this one.
        var isReplaced: @Sendable () -> Bool = { false }
    }

    private let source: Source
    /// The open database; locked only to copy the value, never while the database is used.
    private let opened: Mutex<Opened>

    /// Opens a database.
    ///
    /// - Throws: `StoreError` `damaged` when user data cannot be read; damaged content is replaced.
    init(_ source: Source) throws {
        self.source = source
        opened = Mutex(try Self.open(source))
    }

    /// Creates a database that is open.
    init(_ writer: any DatabaseWriter, _ kind: Kind, _ migrator: DatabaseMigrator) {
        let opened = Opened(writer: writer, file: URL(fileURLWithPath: writer.path))
        source = Source(kind: kind, migrator: migrator, file: { opened.file }, open: { opened })
        self.opened = Mutex(opened)
    }

    /// The access at the last opening: read-write, or read-only with the reason.
    var access: StoreAccess { opened.withLock { $0.access } }

    /// Reads in one transaction.
    ///
    /// - Throws: `StoreError` `storage` or `damaged`, or an error of `body`.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let current = try readable()
        return try translating(current) { try current.writer.read(body) }
    }

    /// Writes in one transaction, to the file that the next launch opens.
    ///
    /// - Throws: `StoreError` `storage` or `damaged`, or an error of `body`; nothing has changed then.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let current = try writable()
        // SQLite goes on writing to a file that was removed.
        if let identity = current.identity {
            try FileVerification(current.file, identity).confirmPlace()
        }
        return try translating(current) { try current.writer.write(body) }
    }

    /// Verifies that the file at the database's path has the committed data.
    ///
    /// - Parameter body: Reads a value, called with this connection and with another; both must agree.
    /// - Throws: `StoreError` `storage` if the file was removed or replaced, or lacks the committed data; `damaged` if
    ///   it cannot be read.
    func confirm<Value: Equatable>(_ body: (Database) throws -> Value) throws {
        let current = opened.withLock { $0 }
        guard current.access == .readWrite, let identity = current.identity else { return }
        try translating(current) {
            try FileVerification(current.file, identity).confirm(current, body)
        }
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

    /// Returns a readable database; unreadable user data throws instead of looking empty.
    private func readable() throws -> Opened {
        let current = try current()
        guard current.isUnreadable else { return current }
        let new = try Self.open(source)
        replace(new)
        guard new.isUnreadable else { return new }
        throw Self.notAFolder(source, new.access.error)
            ?? StoreError(
                .storage,
                "\(new.file.path) cannot be read. Let this user read and write it, or name another"
                    + " folder.", cause: new.access.error)
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
            do {
                return try openForReading(source, error)
            } catch let error as DatabaseError {
                // Not even an empty database in memory.
                throw StoreError(error, source.file(), source.kind)
            }
        }
    }

    private static func openForWriting(_ source: Source) throws -> Opened {
        do {
            return try source.open()
        } catch let error as DatabaseError {
            throw notAFolder(source, error) ?? StoreError(error, source.file(), source.kind)
        } catch let error as CocoaError {
            // Foundation's words name no remedy.
            let folder = source.file().deletingLastPathComponent().path
            throw notAFolder(source, error)
                ?? StoreError(
                    .storage,
                    error.code == .fileWriteOutOfSpace
                        ? "The disk is full: \(folder) cannot be made. Make room and try again."
                        : "\(folder) cannot be made. Let this user write there, or name another folder.",
                    cause: error)
        }
    }

    /// Returns the error of a folder that is a file; `nil` for other ones.
    private static func notAFolder(_ source: Source, _ cause: (any Error)?) -> StoreError? {
        let folder = source.file().deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
            !isFolder.boolValue
        else { return nil }
        return StoreError(
            .storage, "\(folder) is a file. Name a folder for the store.", cause: cause)
    }

    private static func openForReading(_ source: Source, _ reason: StoreError) throws -> Opened {
        let file = source.file()
        do {
            let writer = try ReadOnlyDatabase.open(file, source.migrator)
            return Opened(writer: writer, file: file, access: .readOnly(reason))
        } catch is ReadOnlyDatabase.Unreadable {
            return try openEmpty(source, file, reason, isUnreadable: source.kind == .userData)
        } catch let error as DatabaseError {
            source.damageFound()
            guard source.kind == .content else { throw StoreError(error, file, source.kind) }
            return try openEmpty(source, file, reason)
        }
    }

    private static func openEmpty(
        _ source: Source, _ file: URL, _ reason: StoreError, isUnreadable: Bool = false
    ) throws -> Opened {
        Opened(
            writer: try ReadOnlyDatabase.empty(source.migrator), file: file,
            access: .readOnly(reason), isUnreadable: isUnreadable)
    }

    /// Returns true for errors of the readers of stored records, operations and states.
    private static func isOfDamagedJSON(_ error: any Error) -> Bool {
        error is WireError || error is DocumentSyntaxError || error is DecodingError
    }

    private func damaged(_ opened: Opened, _ cause: any Error) -> StoreError {
        source.damageFound()
        return StoreError(
            .damaged, "\(opened.file.path) is damaged. \(source.kind.remedy)", cause: cause)
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
            throw damaged(opened, error)
        } catch  where source.kind == .userData && Self.isOfDamagedJSON(error) {
            throw damaged(opened, error)
        }
    }
}
