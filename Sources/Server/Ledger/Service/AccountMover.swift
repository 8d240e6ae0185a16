import Accounts
import ContentServer
import Foundation
import ServiceAPI
import Tables
import UserData

/// Moves an account into another one in steps of a bounded number of rows.
///
/// | step | copies |
/// |---|---|
/// | answers | at most 5,000 of one device, in the order of their numbers, with their sums |
/// | results | those of one device's operations |
/// | records | at most 500, merged as after a restore; what lost becomes a difference |
/// | the end | board profile, events; then the account is erased |
///
/// Each step is idempotent: it copies what the target lacks, and then notes its progress.
struct AccountMover: Sendable {
    let accounts: AccountStore
    let ledger: LedgerService
    let now: Date

    private var milliseconds: Int64 { now.millisecondsSince1970 }
    private var storage: any LedgerStorage { ledger.storage }

    /// Begins a move, or returns the one that began before.
    func begin(from source: String, proof: String, into target: String) async throws -> StoredMove {
        let rules = MoveRules(now: now, collections: ledger.ledger.rules)
        let claims = accounts.tokens.claims(of: proof)
        return try await accounts.storage.change(
            rules.keys(from: source, into: target, claims)
        ) { try rules.begin(from: source, into: target, claims, over: $0) }
    }

    /// Runs steps until the move is done, or a request's share of answers or of steps.
    ///
    /// - Returns: The move as it is then.
    func run(_ move: StoredMove) async throws -> StoredMove {
        var move = move
        let end = move.place.answers + ServiceLimits.movedAnswersPerStep
        for _ in 0..<ServiceLimits.moveStepsPerRequest where !move.isDone {
            try Task.checkCancellation()
            move = try await step(move)
            if !move.place.hasAnswers, move.place.answers >= end { break }
        }
        return move
    }

    /// Runs all steps of a move that began before.
    ///
    /// - Parameter source: The former id of the moved account.
    /// - Throws: `RequestError` `noAccount` or `StorageError` `noAccount` if the target was deleted, with what moved into
    ///   it; `StorageError` `damaged` for a move that cannot proceed, or an error of the database.
    func finish(_ source: String) async throws {
        var move = try await stored(source)
        while !move.isDone {
            let next = try await run(move)
            guard next != move else { throw StorageError.damaged("moves") }
            move = next
        }
    }

    /// Runs one step.
    ///
    /// - Returns: The move after it, also after a step of another process that was first.
    func step(_ move: StoredMove) async throws -> StoredMove {
        if move.place.hasRecords { return try await change(.finish(move, at: milliseconds), move) }
        if move.place.hasAnswers { return try await mergeRecords(move) }
        return try await copyAnswers(move)
    }

    private func change(_ change: MoveChange, _ move: StoredMove) async throws -> StoredMove {
        try await accounts.storage.change(AccountReadSet()) { _ in
            AccountOutcome([.move(change)], reply: ())
        }
        return try await stored(move.source)
    }

    private func stored(_ source: String) async throws -> StoredMove {
        let snapshot = try await accounts.storage.open(AccountReadSet(.id(source)))
        // The target was deleted meanwhile, with what moved into it.
        guard let move = snapshot.move else { throw RequestError.accountIsDeleted }
        return move
    }

    private func advance(
        _ move: StoredMove, to place: MovePlace, results: ClientID? = nil
    ) async throws -> StoredMove {
        try await change(.advance(move, to: place, results: results?.text), move)
    }

    private func keys(_ user: String, _ client: ClientID = .server) -> LedgerReadSet {
        LedgerReadSet(user: user, client: client, now: milliseconds)
    }

    // MARK: Answers

    private func copyAnswers(_ move: StoredMove) async throws -> StoredMove {
        var place = move.place
        let devices = try await storage.open(keys(move.closedID)).devices
        guard place.device < devices.count else {
            place.hasAnswers = true
            return try await advance(move, to: place)
        }
        let device = devices[place.device]
        guard place.next <= device.lastAnswer else {
            place.endDevice()
            return try await advance(move, to: place, results: device.client)
        }
        let count = min(
            UInt64(ServiceLimits.movedAnswersPerStep), device.lastAnswer - place.next + 1)
        let span = AnswerSpan(client: device.client, first: place.next, count: Int(count))
        let page = try await storage.answers(
            [span], of: move.closedID, bytesMax: ServiceLimits.answerBytesPerRequestMax)
        guard let run = page.runs.first else { throw StorageError.damaged("answers") }
        if place.name.isEmpty { place.name = device.client.text }
        try await append(run, into: move.target, &place)
        return try await advance(move, to: place)
    }

    /// Appends what the target lacks of a run, and moves the place behind what was handled.
    private func append(
        _ run: AnswerColumns, into target: String, _ place: inout MovePlace
    ) async throws {
        let name = ClientID(place.name)
        let first = run.span.first - place.base
        let run = run.renamingTargets(to: name, from: place.base)
        let known = try await lastAnswer(of: name, in: target)
        guard first <= known + 1 else {
            // The target went back to a backup: what it lacks is copied again.
            place.next = place.base + known + 1
            return
        }
        let overlap = Int(min(UInt64(run.count), known + 1 - first))
        if let index = try await firstDifference(run, overlap, first, name, target) {
            place.name =
                BranchName.ofAnswers(
                    of: name, first: first + UInt64(index),
                    contentHash: run.encoded.contentHashes[index]
                ).text
            place.answers += index
            place.next = run.span.first + UInt64(index)
            place.base = place.next - 1
            return
        }
        let new = run.part(overlap..<run.count)
        if new.count > 0 {
            let span = AnswerSpan(client: name, first: known + 1, count: new.count)
            guard
                try await write(AnswerColumns(span: span, encoded: new.encoded), into: target)
            else { return }
        }
        place.next += UInt64(run.count)
        place.answers += run.count
    }

    private func lastAnswer(of name: ClientID, in target: String) async throws -> UInt64 {
        try await storage.open(keys(target)).devices.first { $0.client == name }?.lastAnswer ?? 0
    }

    /// Returns the place of the first answer of a run that the target has otherwise under its number.
    private func firstDifference(
        _ run: AnswerColumns, _ overlap: Int, _ first: UInt64, _ name: ClientID, _ target: String
    ) async throws -> Int? {
        guard overlap > 0 else { return nil }
        let span = AnswerSpan(client: name, first: first, count: overlap)
        let page = try await storage.answers([span], of: target, bytesMax: .max)
        let known = page.runs.flatMap(\.rows)
        guard known.count == overlap else { throw StorageError.damaged("answers") }
        return zip(run.rows, known).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    }

    /// Writes a run with its sums; false when another step was first.
    private func write(_ run: AnswerColumns, into target: String) async throws -> Bool {
        var keys = keys(target)
        keys.bring([run])
        let now = milliseconds
        return try await storage.exchange(keys) { snapshot in
            let known = snapshot.devices.first { $0.client == run.span.client }
            var changes = LedgerChanges()
            guard (known?.lastAnswer ?? 0) + 1 == run.span.first else {
                return LedgerDecision(changes: changes, reply: false)
            }
            var totals = snapshot.account
            let bounds = EncodedAnswers.Bounds(run.encoded)
            totals.answerCount += run.count
            totals.answerBytes += run.encoded.rows.reduce(0) {
                $0 + ($1.map(bounds.estimatedBytes) ?? 16)
            }
            changes.account = totals
            changes.add([run], over: snapshot, now: now)
            var digest = known?.digest ?? SetDigest()
            digest.add(run.digest)
            changes.digests[run.span.client] = digest
            return LedgerDecision(changes: changes, reply: true)
        }
    }

    // MARK: Records

    private func mergeRecords(_ move: StoredMove) async throws -> StoredMove {
        var (place, source) = (move.place, keys(move.closedID))
        source.page = .init(
            after: place.position, recordsMax: ServiceLimits.movedRecordsPerStep,
            bytesMax: ServiceLimits.replyBytesMax)
        guard let page = try await storage.open(source).page else {
            throw StorageError.damaged("records")
        }
        let records = page.rows.map(\.record).filter(MoveParty.moves)
        let merge = RecordMerge(
            ledger: ledger.ledger, source: move.source, target: move.target, now: milliseconds,
            chance: RandomText.make(bytes: 9))
        if !records.isEmpty {
            place.differences += try await storage.exchange(merge.keys(records)) {
                merge.decide(records, over: $0)
            }
        }
        place.records += records.count
        place.position = page.through
        place.hasRecords = !page.hasMore
        return try await advance(move, to: place)
    }
}
