import ContentModel
import Foundation
import Publishing

/// The former bytes of the files that imports changed, so that an import can be taken back.
///
/// Each import has a folder in `.underway-imports` of the content folder, with an id such as `2026-12-01-1`: the day in UTC and
/// a number. The newest ``countMax`` imports are kept. The folder ignores itself in git.
public struct ImportUndo: Sendable {
    /// What taking an import back did.
    public struct Undone: Sendable, Hashable, Codable {
        /// The import.
        public var id: String
        /// The files with their former bytes, relative to the content folder.
        public var restored: [String]
        /// The files that the import had made, relative to the content folder.
        public var removed: [String]
    }

    /// The files of an import.
    private struct Record: Codable {
        var files: [File]
        /// The paths of the files that it needs and that were there before, such as pictures; `nil` for none.
        var needed: [String]?

        var paths: Set<String> { Set(files.map(\.file) + (needed ?? [])) }
    }

    private struct File: Codable {
        /// The path, relative to the content folder.
        var file: String
        /// The checksum before the import; `nil` for a file that it made.
        var before: String?
        /// The checksum after the import.
        var after: String
    }

    /// The maximum number of imports that are kept.
    public static let countMax = 20
    static let folderName = ".underway-imports"
    private static let recordName = "import.json"

    private let content: String
    private var folder: String { content + "/" + Self.folderName }

    /// - Parameter content: The content folder.
    public init(content: String) { self.content = content }

    /// The ids of the imports that can be taken back, the oldest first.
    public var ids: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in Self.parts(name).map { (name, $0) } }
            .filter { Files.look("\(folder)/\($0.0)/\(Self.recordName)")?.kind == .file }
            .sorted { ($0.1.day, $0.1.number) < ($1.1.day, $1.1.number) }.map(\.0)
    }

    private static func parts(_ id: String) -> (day: String, number: Int)? {
        guard let match = id.wholeMatch(of: /([0-9]{4}-[0-9]{2}-[0-9]{2})-([0-9]{1,6})/),
            let number = Int(match.2)
        else { return nil }
        return (String(match.1), number)
    }

    // MARK: Keeping

    /// Keeps the bytes that a plan replaces.
    ///
    /// - Parameters:
    ///   - plan: The changes, of which none is written yet.
    ///   - date: The time of the import.
    /// - Returns: The id of the import; `nil` if it changes nothing.
    /// - Throws: `PublishingError` `unreadable`, `unwritable`.
    func keep(_ plan: ImportPlan, date: Date) throws -> String? {
        let prefix = plan.path.split(separator: "/").suffix(3).joined(separator: "/")
        var record = Record(files: [])
        var former: [[UInt8]?] = []
        for (name, bytes) in plan.files {
            let before = try plan.present(name)
            guard before != bytes else {
                record.needed = (record.needed ?? []) + ["\(prefix)/\(name)"]
                continue
            }
            record.files.append(
                File(
                    file: "\(prefix)/\(name)", before: before.map { Checksum(of: $0).hex },
                    after: Checksum(of: bytes).hex))
            former.append(before)
        }
        guard !record.files.isEmpty else { return nil }
        let id = nextID(date)
        let target = "\(folder)/\(id)"
        try Files.makeFolder(target)
        try Files.replace(folder + "/.gitignore", Array("*\n".utf8))
        for (index, bytes) in former.enumerated() {
            if let bytes { try Files.replace("\(target)/\(index)", bytes) }
        }
        // The record comes last: without it, the folder is none of an import.
        try Files.replace("\(target)/\(Self.recordName)", Array(try JSONEncoder().encode(record)))
        for old in ids.dropLast(Self.countMax) { remove(old) }
        return id
    }

    private func nextID(_ date: Date) -> String {
        let day = date.formatted(.iso8601.year().month().day())
        var number = (ids.compactMap(Self.parts).filter { $0.day == day }.map(\.number).max() ?? 0)
        repeat { number += 1 } while Files.look("\(folder)/\(day)-\(number)") != nil
        return "\(day)-\(number)"
    }

    private func remove(_ id: String) {
        // Without its record it is none of an import, even if the rest stays.
        Files.remove("\(folder)/\(id)/\(Self.recordName)")
        try? FileManager.default.removeItem(atPath: "\(folder)/\(id)")
    }

    // MARK: Taking back

    /// Restores all files of an import, or none if one of them changed since.
    ///
    /// An interrupted call can be repeated.
    ///
    /// - Parameter id: The import; `nil` for the newest.
    /// - Returns: What was restored and removed.
    /// - Throws: `PublishingError` `invalidRequest` for an unknown import, `drift` with the name of a file that changed since,
    ///   `unreadable`, `unwritable`.
    public func undo(_ id: String? = nil) throws -> Undone {
        let ids = ids
        guard let id = id ?? ids.last, ids.contains(id) else {
            throw PublishingError(.invalidRequest, unknown(id, ids))
        }
        let record = try record(id)
        try check(record, id)
        let changed = Set(record.files.map(\.file))
        for newer in ids.drop(while: { $0 != id }).dropFirst() {
            guard let file = try self.record(newer).paths.intersection(changed).min() else {
                continue
            }
            throw PublishingError(
                .drift,
                "The import \(newer) needs \(file) too, so nothing was taken back. Take that one back first."
            )
        }
        var undone = Undone(id: id, restored: [], removed: [])
        for (index, file) in record.files.enumerated() {
            let path = "\(content)/\(file.file)"
            if file.before == nil {
                Files.remove(path)
                undone.removed.append(file.file)
            } else {
                try Files.replace(path, try Files.read("\(folder)/\(id)/\(index)"))
                undone.restored.append(file.file)
            }
        }
        removeEmptyFolders(of: undone.removed)
        remove(id)
        return undone
    }

    private func record(_ id: String) throws -> Record {
        let file = "\(folder)/\(id)/\(Self.recordName)"
        guard let record = try? JSONDecoder().decode(Record.self, from: Data(try Files.read(file))),
            record.files.allSatisfy({ Self.isSafe($0.file) })
        else { throw PublishingError(.unreadable, "\(file) is no record of an import.") }
        return record
    }

    private func unknown(_ id: String?, _ ids: [String]) -> String {
        guard let id, !ids.isEmpty else { return "There is no import to take back in \(content)." }
        return "There is no import \(id) to take back. There are: \(ids.joined(separator: ", "))."
    }

    /// Checks that each file is as the import left it, or already as it was before.
    private func check(_ record: Record, _ id: String) throws {
        for (index, file) in record.files.enumerated() {
            let path = "\(content)/\(file.file)"
            let isThere = Files.look(path)?.kind == .file
            let present = isThere ? Checksum(of: try Files.read(path)).hex : nil
            guard present == file.after || present == file.before else {
                throw PublishingError(
                    .drift,
                    "\(file.file) changed since the import \(id), so nothing was taken back. Its former bytes are in \(folder)/\(id)."
                )
            }
            guard let before = file.before else { continue }
            guard Checksum(of: try Files.read("\(folder)/\(id)/\(index)")).hex == before else {
                throw PublishingError(
                    .unreadable,
                    "\(folder)/\(id)/\(index) is not what \(file.file) was before the import.")
            }
        }
    }

    private static func isSafe(_ file: String) -> Bool {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        return parts.first == "exams" && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// Removes the folders that the import made: an empty folder would be an exam without its head.
    private func removeEmptyFolders(of files: [String]) {
        for file in files {
            var parts = file.split(separator: "/").dropLast()
            while parts.count > 1,
                Files.removeFolder("\(content)/\(parts.joined(separator: "/"))")
            {
                parts.removeLast()
            }
        }
    }
}
