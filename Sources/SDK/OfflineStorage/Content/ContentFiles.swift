import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The files of the content database: `content.sqlite`, and after each rebuild one with a higher number.
///
/// A damaged database is never moved or changed under another process that has it open. The rebuilt one gets a name of
/// its own, and users of an older one detect that at their next access. The last of the older ones is retained for
/// inspection, if it has at most ``retainedBytesMax``.
struct ContentFiles: Sendable {
    /// The size up to which a damaged database is retained, in bytes.
    static let retainedBytesMax = 64 * 1024 * 1024

    let folder: URL

    /// Returns the database with a number, from 1.
    func file(_ number: Int) -> URL {
        folder.appending(path: number == 1 ? "content.sqlite" : "content.\(number).sqlite")
    }

    /// The current database.
    var newest: URL { file(numbers().max() ?? 1) }

    /// Returns a check that is true after a database was replaced or removed; it costs two system calls.
    func replacementCheck(of file: URL) -> @Sendable () -> Bool {
        guard let number = Self.number(file.lastPathComponent) else { return { false } }
        let (path, next) = (file.path, self.file(number + 1).path)
        return { access(next, F_OK) == 0 || access(path, F_OK) != 0 }
    }

    /// Returns a name for a database that is being built.
    func unfinished() -> URL { folder.appending(path: "content.new-\(UUID().uuidString)") }

    /// Makes a finished database the successor of a damaged one, unless another process was faster.
    ///
    /// - Throws: `StoreError` `storage`.
    func adopt(_ new: URL, after damaged: URL) throws {
        let number = Self.number(damaged.lastPathComponent) ?? 1
        guard link(new.path, file(number + 1).path) == 0 || errno == EEXIST else {
            throw StoreError(
                .storage,
                "The database cannot be repaired: \(String(cString: strerror(errno)))."
                    + " Let this user write in its folder, and try again.")
        }
        removeOld(upTo: number)
    }

    /// Removes all replaced databases but the last.
    private func removeOld(upTo number: Int) {
        for old in numbers() where old < number || (old == number && isLarge(file(old))) {
            for suffix in DeviceDatabase.suffixes { remove(file(old).path + suffix) }
        }
    }

    /// Removes the unfinished files of rebuilds that were killed an hour ago or earlier.
    func removeUnfinished() {
        for name in names() where name.hasPrefix("content.new-") {
            let path = folder.appending(path: name).path
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let date = attributes?[.modificationDate] as? Date
            if let date, date < Date(timeIntervalSinceNow: -3600) { remove(path) }
        }
    }

    private func isLarge(_ file: URL) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? Int ?? 0) > Self.retainedBytesMax
    }

    private func remove(_ path: String) {
        // A leftover is removed another time.
        try? FileManager.default.removeItem(atPath: path)
    }

    private func names() -> [String] {
        // A folder that cannot be listed has no database yet.
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private func numbers() -> [Int] { names().compactMap(Self.number) }

    private static func number(_ name: String) -> Int? {
        if name == "content.sqlite" { return 1 }
        return name.wholeMatch(of: /content\.([1-9][0-9]{0,8})\.sqlite/).flatMap { Int($0.1) }
    }
}
