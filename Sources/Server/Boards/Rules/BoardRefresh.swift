package import Foundation
import Ledger
import UserData

/// One step of the refresh of all boards: reads changes, recomputes the places of their members from the sessions, and
/// writes the differences.
///
/// The transaction that removes changes also writes places and buckets. A step that is killed therefore leaves nothing
/// behind, and the next one reads the same changes.
package struct BoardRefresh: Sendable {
    /// The outcome of a step.
    package struct Report: Sendable, Hashable {
        /// The number of members whose places were recomputed.
        package var members = 0
        /// The number of places written or removed.
        package var places = 0
        /// True when more changes are pending, or a board is not filled.
        package var hasMore = false
    }

    /// The most members whose sessions are in memory at once.
    private static let chunk = 250
    /// The time before a period for which its board is made, so that no session is missed between two clocks.
    private static let lead: TimeInterval = 600

    /// The wall clock.
    private let now: Date
    /// The most changes of a step, and the most accounts that fill a board in it.
    private let limit: Int

    package init(now: Date, limit: Int) {
        self.now = now
        self.limit = limit
    }

    private var milliseconds: Int64 { Int64(now.timeIntervalSince1970 * 1000) }

    /// A board at work.
    private struct Work {
        var board: StoredBoard
        let definition: BoardDefinition
        /// The buckets as they were read; `nil` before the first change.
        var before: BucketTable?
        var table = BucketTable()

        mutating func move(from old: Int64?, to new: Int64?, _ transaction: BoardTransaction)
            throws
        {
            if before == nil {
                let table = BucketTable(try transaction.buckets(of: board.number))
                (before, self.table) = (table, table)
            }
            table.move(from: old, to: new)
        }
    }

    /// Runs the step.
    ///
    /// - Throws: An error of the transaction.
    package func run(in transaction: BoardTransaction) throws -> Report {
        var report = Report()
        var works = try works(transaction, &report)
        let changes = try transaction.takeChanges(atMost: limit)
        report.hasMore = report.hasMore || changes.hasMore
        try apply(changes.members, to: &works, works.keys.sorted(), transaction, &report)
        for number in works.keys.sorted() { try fill(number, &works, transaction, &report) }
        for number in works.keys.sorted() {
            guard let work = works[number] else { continue }
            try finish(work, transaction)
        }
        return report
    }

    // MARK: Boards

    /// Makes missing boards, removes superfluous ones, and opens or closes the others.
    private func works(
        _ transaction: BoardTransaction, _ report: inout Report
    ) throws -> [Int64: Work] {
        var (definitions, known) = try transaction.all()
        for definition in definitions {
            for board in missing(definition, known) {
                var board = board
                board.number = try transaction.add(board)
                known.append(board)
            }
        }
        let plan = BoardRetention(definitions: definitions, now: now)
        var works: [Int64: Work] = [:]
        for var board in known {
            guard let definition = plan.definition(keeping: board, among: known) else {
                let removed = try transaction.remove(board: board.number, atMost: limit)
                report.hasMore = report.hasMore || removed > 0
                continue
            }
            let isClosed = plan.isClosed(board, definition)
            // The clock went back: what changed meanwhile is not known, so all of it is looked at again.
            if board.isClosed, !isClosed { board.filledThrough = 0 }
            board.isClosed = isClosed
            works[board.number] = Work(board: board, definition: definition)
        }
        return works
    }

    private func missing(
        _ definition: BoardDefinition, _ known: [StoredBoard]
    ) -> [StoredBoard] {
        var boards: [StoredBoard] = []
        for period in definition.periods {
            for time in [now, now + Self.lead] {
                let window = definition.window(period, at: time)
                let isThere = (known + boards).contains {
                    $0.name == definition.name && $0.period == period && $0.window == window
                        && $0.scoring == definition.scoring
                }
                guard !isThere else { continue }
                boards.append(
                    StoredBoard(
                        number: 0, name: definition.name, period: period, window: window,
                        scoring: definition.scoring, filledThrough: 0, refreshedAt: 0,
                        isClosed: false))
            }
        }
        return boards
    }

    /// Looks at the next accounts of a board that is not filled.
    private func fill(
        _ number: Int64, _ works: inout [Int64: Work], _ transaction: BoardTransaction,
        _ report: inout Report
    ) throws {
        guard let work = works[number], let last = work.board.filledThrough else { return }
        let members = try transaction.members(
            of: work.definition.bank, after: last, atMost: limit)
        try apply(members, to: &works, [number], transaction, &report)
        let isFilled = members.count < limit
        works[number]?.board.filledThrough = isFilled ? nil : members.last
        report.hasMore = report.hasMore || !isFilled
    }

    /// Splits and merges buckets, and writes what changed of a board.
    private func finish(_ work: Work, _ transaction: BoardTransaction) throws {
        var (board, table) = (work.board, work.table)
        if let before = work.before {
            table.mergeSmall()
            while let part = table.overfull {
                table.split(part, at: try transaction.cut(part, of: board.number))
            }
            let changes = table.changes(since: before)
            try transaction.write(
                changes.written, removing: changes.removed, of: board.number)
        }
        if !board.isClosed || work.before != nil { board.refreshedAt = milliseconds }
        try transaction.update(board)
    }

    // MARK: Places

    /// Computes the places of members on boards.
    private func apply(
        _ members: [Int64], to works: inout [Int64: Work], _ numbers: [Int64],
        _ transaction: BoardTransaction, _ report: inout Report
    ) throws {
        for start in stride(from: 0, to: members.count, by: Self.chunk) {
            let chunk = Array(members[start..<min(members.count, start + Self.chunk)])
            let places = try newPlaces(chunk, works, numbers, transaction)
            for (old, place) in places {
                try works[place.board]?.move(from: old, to: place.key, transaction)
            }
            try transaction.write(places.map(\.new))
            report.members += chunk.count
            report.places += places.count
        }
    }

    /// Returns the places that differ, with the key of before.
    private func newPlaces(
        _ members: [Int64], _ works: [Int64: Work], _ numbers: [Int64],
        _ transaction: BoardTransaction
    ) throws -> [(old: Int64?, new: BoardPlace)] {
        let listed = try transaction.listed(members)
        let known = Dictionary(
            try transaction.places(of: members).map { place in
                (Place(board: place.board, member: place.member), place.key)
            }, uniquingKeysWith: { $1 })
        var sessions: [String: [Int64: [SessionScore]]] = [:]
        var places: [(old: Int64?, new: BoardPlace)] = []
        for case let work? in numbers.map({ works[$0] }) {
            let bank = work.definition.bank
            if sessions[bank] == nil, !work.board.isClosed {
                sessions[bank] = try transaction.sessions(of: Array(listed), in: bank)
            }
            for member in members {
                let old = known[Place(board: work.board.number, member: member)] ?? nil
                let new =
                    !listed.contains(member)
                    ? nil : work.board.isClosed ? old : key(sessions[bank]?[member], work)
                guard old != new else { continue }
                places.append(
                    (old, BoardPlace(board: work.board.number, member: member, key: new)))
            }
        }
        return places
    }

    private struct Place: Hashable {
        var board: Int64
        var member: Int64
    }

    private func key(_ sessions: [SessionScore]?, _ work: Work) -> Int64? {
        let window = work.board.window
        return work.definition.rule.standing(
            of: (sessions ?? []).lazy.filter { window.contains($0) })?.key
    }
}

/// The decision about which boards stay, and which of them still take answers.
struct BoardRetention {
    let definitions: [BoardDefinition]
    let now: Date

    /// Returns the number of boards of a period that stay, the current one included.
    static func countMax(_ period: BoardPeriod) -> Int {
        switch period {
        case .day: 8
        case .week: 6
        case .month: 13
        case .all: 1
        }
    }

    /// Returns the definition of a board; `nil` for one that goes.
    func definition(
        keeping board: StoredBoard, among boards: [StoredBoard]
    ) -> BoardDefinition? {
        guard
            let definition = definitions.first(where: {
                $0.name == board.name && $0.periods.contains(board.period)
                    && $0.scoring == board.scoring
            })
        else { return nil }
        let newer = boards.count {
            $0.name == board.name && $0.period == board.period && $0.scoring == board.scoring
                && $0.window.start > board.window.start
        }
        return newer < Self.countMax(board.period) ? definition : nil
    }

    /// Returns true when the time for late answers is over.
    func isClosed(_ board: StoredBoard, _ definition: BoardDefinition) -> Bool {
        guard let end = board.window.end else { return false }
        let grace = Int64(definition.graceHours) * 3_600_000
        return Int64(now.timeIntervalSince1970 * 1000) >= end + grace
    }
}
