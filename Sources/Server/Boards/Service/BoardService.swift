import Accounts
import ContentServer
package import Foundation
package import ServiceAPI
package import UserData

/// The boards over a storage: what routes and commands offer.
package struct BoardService: Sendable {
    /// The storage.
    package let storage: BoardStorage
    private let clock: @Sendable () -> Date

    package init(_ storage: BoardStorage, clock: @escaping @Sendable () -> Date) {
        self.storage = storage
        self.clock = clock
    }

    // MARK: Reading

    /// Returns the boards that there are, in the order of names.
    ///
    /// - Throws: `StorageError`.
    package func summaries() async throws -> [BoardSummary] {
        try await storage.definitions().map(\.summary)
    }

    /// Returns a board as a learner sees it; `nil` when there is none.
    ///
    /// - Throws: `StorageError`.
    package func page(_ query: BoardQuery) async throws -> BoardPage? {
        var query = query
        query.now = clock()
        return try await storage.read(query).map(BoardPage.init)
    }

    // MARK: Profiles

    /// Returns the profile of an account; one that was never set has no name and is listed.
    ///
    /// - Throws: `StorageError`.
    package func profile(of user: String) async throws -> BoardProfile {
        if let profile = try await storage.profile(of: user) { return profile }
        // Whoever sets one meanwhile keeps it.
        return try await storage.addProfile(
            BoardProfile(name: nil, isListed: true, friendCode: Self.makeCode()), of: user)
    }

    /// Sets the profile of an account.
    ///
    /// - Throws: `RequestError` `refused` for a name that cannot be shown; `StorageError`.
    package func set(
        _ change: BoardProfileChange, of user: String
    ) async throws -> BoardProfile {
        let name = try change.name.map { text in
            guard let name = DisplayName(text) else {
                throw RequestError(
                    .refused,
                    "A display name is 1 to \(ServiceLimits.displayNameCharactersMax) visible characters,"
                        + " at most \(ServiceLimits.displayNameBytesMax) bytes long."
                )
            }
            return name.text
        }
        let profile = try await storage.set(
            BoardProfile(name: name, isListed: change.isListed, friendCode: Self.makeCode()),
            of: user)
        guard profile.name == name else {
            throw RequestError(
                .refused, "The operator removed your name. Ask them before you choose another one.")
        }
        return profile
    }

    /// Makes a friend code: 10 characters, 50 bits, without letters that look alike (Crockford's Base32).
    private static func makeCode() -> String {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        var generator = SystemRandomNumberGenerator()
        return String((0..<10).map { _ in alphabet.randomElement(using: &generator) ?? "0" })
    }

    // MARK: Refreshing

    /// Refreshes all boards until no change is left.
    ///
    /// - Parameter stepsMax: The most transactions.
    /// - Returns: The sums of all steps; `nil` when another process refreshes them.
    /// - Throws: `StorageError` or `CancellationError`, after which the steps before stay.
    package func refresh(stepsMax: Int = .max) async throws -> BoardRefresh.Report? {
        var sum: BoardRefresh.Report?
        for _ in 0..<stepsMax {
            try Task.checkCancellation()
            let step = BoardRefresh(now: clock(), limit: storage.changesMax)
            guard let report = try await storage.refresh({ try step.run(in: $0) }) else {
                return sum
            }
            sum = BoardRefresh.Report(
                members: (sum?.members ?? 0) + report.members,
                places: (sum?.places ?? 0) + report.places, hasMore: report.hasMore)
            if !report.hasMore { break }
        }
        return sum
    }

    /// Sums the answers of all accounts anew, as after an upgrade from a version without boards.
    ///
    /// - Returns: The number of accounts.
    /// - Throws: `StorageError`, after which the accounts before are summed.
    package func recount() async throws -> Int {
        var (last, count) = (Int64(0), 0)
        while let member = try await storage.recount(
            after: last, now: Int64(clock().timeIntervalSince1970 * 1000))
        {
            (last, count) = (member, count + 1)
        }
        return count
    }
}

extension BoardPage {
    /// Makes a page of what was read.
    init(_ reading: BoardReading) {
        let board = reading.board
        func entry(_ line: BoardLine) -> BoardEntry {
            let standing = BoardStanding(key: line.key)
            return BoardEntry(
                rank: line.rank, score: standing.score,
                reachedAt: Date(timeIntervalSince1970: Double(standing.second)), name: line.name,
                friendCode: line.code, isOwn: line.member == reading.member)
        }
        let neighbours = reading.around.map(entry)
        self.init(
            board: board.name, bank: reading.definition.bank, period: board.period,
            firstDay: board.window.firstDay.isEmpty ? nil : board.window.firstDay,
            placeCount: reading.count,
            refreshedAt: Date(timeIntervalSince1970: Double(board.refreshedAt / 1000)),
            isFinal: board.isClosed, top: reading.top.map(entry),
            own: neighbours.first(where: \.isOwn), neighbours: neighbours,
            friends: reading.friends.map(entry))
    }
}
