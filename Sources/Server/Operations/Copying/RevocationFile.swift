import Accounts
import Foundation

/// The file of a server's revocations, which a copy reads and adds to while no server runs.
struct RevocationFile {
    private let file: URL

    /// Names the file in the folder of the key of tokens.
    init(in folder: URL) { file = folder.appending(path: "revocations") }

    /// Reads the entries; the last of each name counts.
    ///
    /// - Throws: An error of the file system.
    func read() throws -> [Revocation] { Array(try entries().values) }

    /// Adds entries; of two about the same, the later one stays.
    ///
    /// - Throws: An error of the file system; the file is as before then.
    func add(_ new: [Revocation]) throws {
        let known = try entries()
        var all = known
        for entry in new where all[entry.key].map({ $0.time <= entry.time }) ?? true {
            all.note(entry)
        }
        guard all != known else { return }
        try DurableFile.replace(file, with: Data(all.values.map { $0.line + "\n" }.joined().utf8))
    }

    private func entries() throws -> [String: Revocation] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return text.split(separator: "\n").compactMap { Revocation(line: $0) }
            .reduce(into: [:]) { $0.note($1) }
    }
}

extension [String: Revocation] {
    /// Notes an entry; what became of a deleted account before is nobody's business any more.
    fileprivate mutating func note(_ entry: Revocation) {
        switch entry {
        case .account(let id, let time): self[Revocation.move(id, into: "", at: time).key] = nil
        case .move(let id, _, let time):
            guard self[Revocation.account(id, at: time).key] == nil else { return }
        case .family, .sessions: break
        }
        self[entry.key] = entry
    }
}

extension Revocation {
    /// The subject of the revocation; a journal has one entry for each.
    var key: String {
        switch self {
        case .account(let id, _): "account \(id)"
        case .move(let id, _, _): "move \(id)"
        case .family(let name, _): "family \(name)"
        case .sessions(let id, _, _, _): "sessions \(id)"
        }
    }
}
