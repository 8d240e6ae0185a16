import Dispatch
package import Foundation
import ServiceAPI
import Synchronization

/// A journal of deletions and revocations in a small file beside the server's key, so that it survives a restore of the
/// database.
///
/// Entries are appended and synced one by one, within the transaction that they belong to. Entries older than any valid
/// token are dropped.
package final class RevocationJournal: Sendable {
    private struct State {
        var accounts: [String: Int64] = [:]
        var families: [String: Int64] = [:]
        var sessions: [String: Revocation] = [:]
        var moves: [String: Revocation] = [:]
        var count: Int { accounts.count + families.count + sessions.count + moves.count }
    }

    private let file: URL?
    private let state: Mutex<State>
    /// The order of all that touches the file, on whose threads its disk is waited for.
    private let queue = DispatchQueue(label: "underway.revocations")

    /// Opens a journal.
    ///
    /// Opening drops no old entries, since the clock may be wrong; upkeep drops them.
    ///
    /// - Parameter file: The file; `nil` for a service in memory.
    /// - Throws: An error of the file system.
    package init(file: URL?) throws {
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
        try queue.sync { try rewrite(without: .min, accounts: .min, isForced: isTorn) }
    }

    // MARK: Questions

    /// Returns the entries about an account and a session.
    package func known(account: String?, session: String?) -> KnownRevocations {
        state.withLock { state in
            var known = KnownRevocations()
            if let account {
                known.isAccountDeleted = state.accounts[account] != nil
                known.allSessions = state.sessions[account]
            }
            if let session { known.isSessionEnded = state.families[session] != nil }
            return known
        }
    }

    /// All entries, for the replay after a restore: moves by their times, then deletions.
    ///
    /// The replay of moves depends on no order, since the clocks of processes differ.
    package var entries: [Revocation] {
        state.withLock { state in
            state.moves.values.sorted { $0.time < $1.time }
                + state.accounts.map { .account($0.key, at: $0.value) }
                + state.families.map { .family($0.key, at: $0.value) } + state.sessions.values
        }
    }

    // MARK: Entries

    /// Appends an entry; it is synced to disk on return.
    package func add(_ entry: Revocation) throws {
        try queue.sync { try append(entry) }
    }

    private func append(_ entry: Revocation) throws {
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

    /// Returns the time of issue before which every token has expired, in milliseconds since 1970.
    package static func end(now: Int64) -> Int64 {
        now - Int64(ServiceLimits.refreshTokenDays + 1) * 86_400_000
    }

    /// Returns the time up to which deletions and moves are dropped, in milliseconds since 1970.
    package static func endOfAccounts(now: Int64) -> Int64 {
        now - Int64(ServiceLimits.accountRevocationDays) * 86_400_000
    }

    /// Drops entries older than any valid token, deletions and moves later, and the oldest sessions above the bound.
    package func compact(now: Int64) throws {
        try queue.sync {
            try rewrite(
                without: Self.end(now: now), accounts: Self.endOfAccounts(now: now),
                isForced: false)
        }
    }

    /// Drops entries from before a time, and replaces the file when that changes anything.
    private func rewrite(without end: Int64, accounts: Int64, isForced: Bool) throws {
        let (kept, isChanged) = state.withLock { state in
            let before = state.count
            state.accounts = state.accounts.filter { $0.value >= accounts }
            state.moves = state.moves.filter { $0.value.time >= accounts }
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
            + kept.sessions.values.map(\.line) + kept.moves.values.map(\.line)
        try DurableFile.replace(file, with: Data(lines.map { $0 + "\n" }.joined().utf8))
    }

    private static func add(_ entry: Revocation, to state: inout State) {
        switch entry {
        case .account(let id, let time):
            state.accounts[id] = time
            // What became of a deleted account before is nobody's business any more.
            state.moves[id] = nil
        case .family(let name, let time): state.families[name] = time
        case .sessions(let id, _, _, _): state.sessions[id] = entry
        case .move(let id, _, _): if state.accounts[id] == nil { state.moves[id] = entry }
        }
    }
}
