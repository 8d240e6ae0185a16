import Foundation
import ServiceAPI
import Synchronization

/// An entry of the journal: a deletion or revocation that a restored backup must not undo.
enum Revocation: Sendable, Hashable {
    /// An account was deleted.
    case account(String, at: Int64)
    /// A session ended, or was found to be copied.
    case family(String, at: Int64)
    /// All sessions of an account ended but one (`kept`; empty for none); access tokens of lower
    /// generations are invalid.
    case sessions(of: String, kept: String, tokenGeneration: Int64, at: Int64)

    /// The time of the revocation, in milliseconds since 1970.
    var time: Int64 {
        switch self {
        case .account(_, let time), .family(_, let time), .sessions(_, _, _, let time): time
        }
    }

    var line: String {
        switch self {
        case .account(let id, let time): "account \(time) \(id)"
        case .family(let name, let time): "family \(time) \(name)"
        case .sessions(let id, let kept, let generation, let time):
            "sessions \(time) \(id) \(generation) \(kept.isEmpty ? "-" : kept)"
        }
    }

    init?(line: Substring) {
        let words = line.split(separator: " ").map { String($0) }
        guard words.count >= 3, let time = Int64(words[1]) else { return nil }
        switch (words[0], words.count) {
        case ("account", 3): self = .account(words[2], at: time)
        case ("family", 3): self = .family(words[2], at: time)
        case ("sessions", 5):
            guard let generation = Int64(words[3]) else { return nil }
            self = .sessions(
                of: words[2], kept: words[4] == "-" ? "" : words[4],
                tokenGeneration: generation, at: time)
        default: return nil
        }
    }
}

/// A journal of deletions and revocations in a small file beside the server's key, so that it
/// outlives a restore of the database.
///
/// Entries are appended and synced within the transaction that they belong to, on the database's
/// own serial queue. Entries older than any valid token are dropped.
final class RevocationJournal: Sendable {
    private struct State {
        var accounts: [String: Int64] = [:]
        var families: [String: Int64] = [:]
        var sessions: [String: Revocation] = [:]
        var count: Int { accounts.count + families.count + sessions.count }
    }

    private let file: URL?
    private let state: Mutex<State>

    /// Opens a journal.
    ///
    /// - Parameters:
    ///   - file: The file; `nil` for a service in memory.
    ///   - now: In milliseconds since 1970.
    /// - Throws: An error of the file system.
    init(file: URL?, now: Int64) throws {
        self.file = file
        var state = State()
        var isTorn = false
        if let file, FileManager.default.fileExists(atPath: file.path) {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            // The transaction of a last line that a power loss cut was not committed.
            isTorn = !text.isEmpty && !text.hasSuffix("\n")
            for entry in text.split(separator: "\n").compactMap({ Revocation(line: $0) }) {
                Self.add(entry, to: &state)
            }
        }
        self.state = Mutex(state)
        try compact(now: now, isForced: isTorn)
    }

    // MARK: Questions

    /// Returns the reason to reject a token whose row is not known; `nil` if the journal has none.
    func verdict(_ claims: RefreshClaims) -> UserServiceError? {
        state.withLock { state in
            if state.accounts[claims.account] != nil { return .accountIsDeleted }
            if state.families[claims.family] != nil { return .signInAgain }
            if case .sessions(_, let kept, _, let time)? = state.sessions[claims.account],
                claims.issuedAt <= time, claims.family != kept
            {
                return .signInAgain
            }
            return nil
        }
    }

    func isDeleted(_ account: String) -> Bool {
        state.withLock { $0.accounts[account] != nil }
    }

    /// Returns the least valid generation of an account's access tokens.
    func tokenGeneration(of account: String) -> Int64 {
        state.withLock { state in
            if case .sessions(_, _, let generation, _)? = state.sessions[account] {
                return generation
            }
            return 0
        }
    }

    /// All entries, for the replay after a restore.
    var entries: [Revocation] {
        state.withLock { state in
            state.accounts.map { .account($0.key, at: $0.value) }
                + state.families.map { .family($0.key, at: $0.value) } + state.sessions.values
        }
    }

    // MARK: Entries

    /// Appends an entry; it is on the disk when this returns.
    func add(_ entry: Revocation) throws {
        if let file {
            if !FileManager.default.fileExists(atPath: file.path) {
                try DurableFile.replace(file, with: Data())
            }
            let handle = try FileHandle(forWritingTo: file)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data((entry.line + "\n").utf8))
            try handle.synchronize()
            try handle.close()
        }
        state.withLock { Self.add(entry, to: &$0) }
    }

    /// Drops entries older than any valid token, and then the oldest sessions beyond the bound.
    func compact(now: Int64, isForced: Bool = false) throws {
        let end = now - Int64(ServiceLimits.refreshTokenDays + 1) * 86_400_000
        let (kept, isChanged) = state.withLock { state in
            let before = state.count
            state.accounts = state.accounts.filter { $0.value >= end }
            state.families = state.families.filter { $0.value >= end }
            state.sessions = state.sessions.filter { $0.value.time >= end }
            let excess = state.count - ServiceLimits.revocationsMax
            if excess > 0 {
                for family in state.families.sorted(by: { $0.value < $1.value }).prefix(excess) {
                    state.families[family.key] = nil
                }
            }
            return (state, state.count != before)
        }
        guard let file, isChanged || isForced else { return }
        let lines =
            kept.accounts.map { Revocation.account($0.key, at: $0.value).line }
            + kept.families.map { Revocation.family($0.key, at: $0.value).line }
            + kept.sessions.values.map(\.line)
        try DurableFile.replace(file, with: Data(lines.map { $0 + "\n" }.joined().utf8))
    }

    private static func add(_ entry: Revocation, to state: inout State) {
        switch entry {
        case .account(let id, let time): state.accounts[id] = time
        case .family(let name, let time): state.families[name] = time
        case .sessions(let id, _, _, _): state.sessions[id] = entry
        }
    }
}

extension UserServiceError {
    static let signInAgain = UserServiceError(.unauthorized, "Sign in again.")
    static let accountIsDeleted = UserServiceError(
        .noAccount, "There is no such account any more.")
}
