import Accounts
import ContentServer
package import Foundation
package import ServiceAPI
package import UserData

/// The service of boards for routes and commands.
package struct BoardService: Sendable {
    /// The storage.
    package let storage: BoardStorage
    private let clock: @Sendable () -> Date

    package init(_ storage: BoardStorage, clock: @escaping @Sendable () -> Date) {
        self.storage = storage
        self.clock = clock
    }

    // MARK: Reading

    /// Returns all boards, in the order of names.
    ///
    /// - Throws: `StorageError`.
    package func summaries() async throws -> [BoardSummary] {
        try await storage.definitions().map(\.summary)
    }

    /// Returns a board for a learner; `nil` if there is none.
    ///
    /// - Throws: `StorageError`.
    package func page(_ query: BoardQuery) async throws -> BoardPage? {
        var query = query
        query.now = clock()
        return try await storage.read(query).map(BoardPage.init)
    }

    // MARK: Profiles

    /// Returns the profile of an account; by default it has no name and is listed.
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
    /// - Throws: `RequestError` `refused` for a name that cannot be shown (choose another); `StorageError`.
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

    /// Refreshes all boards until no change is pending.
    ///
    /// - Parameter stepsMax: The maximum number of transactions.
    /// - Returns: The sums of all steps; `nil` if another process is refreshing the boards.
    /// - Throws: `StorageError` or `CancellationError`; completed steps stay committed.
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

    /// Recomputes the sums of answers of all accounts, as after an upgrade from a version without boards.
    ///
    /// - Returns: The number of accounts.
    /// - Throws: `StorageError`; completed accounts stay committed.
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
