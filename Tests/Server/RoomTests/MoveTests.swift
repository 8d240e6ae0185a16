import Foundation
import ServiceAPI
import Testing
import UserData

@testable import Accounts
@testable import ContentServer
@testable import Ledger

/// Moves of an account into another one, on each storage.
@Suite struct MoveTests {
    @Test(arguments: AccountAdapter.allCases)
    func answersAndRecordsComeUnderTheirNames(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        try await world.answer("uA", "dA", [1, 2, 3])
        try await world.answer("uB", "dB", [4])
        try await world.put("uA", "goals", "daily", ["minutes": 20], by: "dA")
        try await world.put("uB", "goals", "weekly", ["minutes": 90], by: "dB")

        let move = try await world.move()

        #expect(move.isDone)
        #expect(move.answers == 3 && move.place.answers == 3)
        #expect(move.place.records == 1 && move.place.differences == 0)
        #expect(try await world.held("uB") == ["dA": 3, "dB": 1])
        #expect(try await world.questions("uB", "dA") == ["q1", "q2", "q3"])
        let records = try await world.records("uB")
        #expect(records.values.map(\.key.id).sorted() == ["daily", "weekly"])
        #expect(try await world.ledger().progress(of: "uB").days.map(\.answers).reduce(0, +) == 4)
    }

    /// The rows of a store that was copied are in both accounts once.
    @Test(arguments: AccountAdapter.allCases)
    func equalRowsAreDroppedATailIsAppendedAndADifferenceBranches(
        adapter: AccountAdapter
    ) async throws {
        let world = try await MoveWorld(adapter)
        try await world.answer("uA", "w-same", [1, 2])
        try await world.answer("uB", "w-same", [1, 2])
        try await world.answer("uA", "w-longer", [1, 2, 3])
        try await world.answer("uB", "w-longer", [1])
        try await world.answer("uA", "w-other", [1, 2, 3])
        try await world.answer("uB", "w-other", [1, 9, 8, 7])

        try await world.move()

        let branch = BranchName.ofAnswers(
            of: ClientID("w-other"), first: 2,
            contentHash: EncodedAnswers([MoveWorld.row(2)]).contentHashes[0]
        ).text
        #expect(
            try await world.held("uB")
                == ["w-same": 2, "w-longer": 3, "w-other": 4, branch: 2])
        #expect(try await world.questions("uB", branch) == ["q2", "q3"])
        #expect(try await world.questions("uB", "w-other") == ["q1", "q9", "q8", "q7"])
    }

    /// The retraction names the answer by its new name, as the device does that moves its answers.
    @Test(arguments: AccountAdapter.allCases)
    func aRetractionFollowsItsAnswerToABranch(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        func undo(_ question: Int, _ client: String, _ number: UInt64) -> AnswerRow {
            let row = MoveWorld.row(question)
            return row.retraction(
                of: AnswerID(client: ClientID(client), number: number), at: row.milliseconds,
                offsetMinutes: nil)
        }
        try await world.answer("uA", "w-other", [1, 2, 3])
        try await world.add("uA", "w-other", [undo(3, "w-other", 3)])
        try await world.answer("uA", "w-plain", [4, 5])
        try await world.add("uA", "tablet", [undo(5, "w-plain", 2)])
        try await world.answer("uB", "w-other", [1, 9, 8, 7])

        try await world.move()

        let branch = BranchName.ofAnswers(
            of: ClientID("w-other"), first: 2,
            contentHash: EncodedAnswers([MoveWorld.row(2)]).contentHashes[0])
        let (moved, plain) = (
            AnswerSpan(client: branch, first: 1, count: 3),
            AnswerSpan(client: ClientID("w-plain"), first: 1, count: 2)
        )
        #expect(
            try await world.accounts.ledger.retractions(in: [moved, plain], of: "uB") == [
                AnswerID(client: branch, number: 2): AnswerID(client: branch, number: 3),
                AnswerID(client: ClientID("w-plain"), number: 2):
                    AnswerID(client: ClientID("tablet"), number: 1),
            ])
        #expect(try await world.ledger().progress(of: "uB").days.map(\.answers) == [6])
    }

    /// Two that move at once would bring more together than either of them was allowed to.
    @Test(arguments: AccountAdapter.allCases)
    func oneAccountAtATimeMovesIntoAnother(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        let proof = try await world.accounts.store.open(
            "uC", isAuthenticated: false, now: MoveWorld.now
        ).refreshToken
        let mover = world.mover()
        var first = try await mover.begin(from: "uA", proof: world.proof, into: "uB")
        let refusal = await #expect(throws: RequestError.self) {
            try await mover.begin(from: "uC", proof: proof, into: "uB")
        }
        #expect(refusal?.code == .busy && refusal?.retryAfterSeconds != nil)
        while !first.isDone { first = try await mover.run(first) }
        let second = try await mover.begin(from: "uC", proof: proof, into: "uB")
        #expect(try await mover.run(second).isDone)
    }

    /// An account of many devices with an answer each has as many steps.
    @Test(arguments: AccountAdapter.allCases)
    func aRequestRunsABoundedNumberOfSteps(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        for number in 0..<60 { try await world.answer("uA", "d\(number)", [number]) }
        let mover = world.mover()
        var move = try await mover.begin(from: "uA", proof: world.proof, into: "uB")
        var requests = 0
        while !move.isDone {
            move = try await mover.run(move)
            requests += 1
        }
        #expect(requests == 2)
        #expect(try await world.held("uB").count == 60)
    }

    /// The rule of each policy, and what lost.
    @Test(arguments: AccountAdapter.allCases)
    func whatLostBecomesADifference(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        for (user, device, minutes) in [("uA", "dA", Int64(1)), ("uB", "dB", 2)] {
            let time = minutes
            try await world.put(user, "exams", "e", ["at": .integer(minutes)], by: device, at: 3)
            try await world.put(
                user, "goals", "g", ["at": .integer(minutes)], by: device, 2, at: time)
            try await world.put(user, "notes", "n", ["at": .integer(minutes)], by: device, 3)
            try await world.write(
                user, "points", "p",
                .count(field: "n", CounterTotals(added: minutes * 10)), by: device, 4)
        }
        try await world.put("uA", "profile", "me", ["name": "Ada"], by: "dA", 5)
        try await world.put("uB", "profile", "me", ["age": 36], by: "dB", 5)

        let move = try await world.move()

        let records = try await world.records("uB")
        #expect(records[RecordKey("exams", "e")]?.values == ["at": 2])
        #expect(records[RecordKey("goals", "g")]?.values == ["at": 2])
        #expect(records[RecordKey("notes", "n")]?.values == ["at": 2])
        #expect(records[RecordKey("points", "p")]?.values == ["n": 30])
        #expect(records[RecordKey("profile", "me")]?.values == ["name": "Ada", "age": 36])
        let differences = try await world.differences("uB")
        #expect(differences.map(\.key.collection) == ["exams", "goals", "notes"])
        #expect(differences.map(\.kind) == [.ask, .lost, .lost])
        #expect(differences.allSatisfy { $0.version.values == ["at": 1] })
        #expect(move.place.differences == 3)
    }

    /// The receiving account's own version may be the one that loses.
    @Test(arguments: AccountAdapter.allCases)
    func theEarlierVersionOfTheTargetIsNotDropped(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        try await world.put("uA", "goals", "g", ["at": 5], by: "dA", at: 5)
        try await world.put("uB", "goals", "g", ["at": 2], by: "dB", at: 2)
        try await world.move()
        #expect(try await world.records("uB")[RecordKey("goals", "g")]?.values == ["at": 5])
        let differences = try await world.differences("uB")
        #expect(differences.map(\.version.values) == [["at": 2]])
    }

    /// The target decided whether answers are analysed; a deletion does not reach it.
    @Test(arguments: AccountAdapter.allCases)
    func consentsAndDeletionsStayBehind(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        try await world.put("uA", "consents", "keyReview", ["isGiven": true], by: "dA")
        try await world.put("uB", "goals", "g", ["at": 2], by: "dB")
        try await world.put("uA", "goals", "g", ["at": 1], by: "dA", 2)
        try await world.write("uA", "goals", "g", .delete, by: "dA", 3, at: 9)
        try await world.move()
        let records = try await world.records("uB")
        #expect(records.keys.map(\.collection) == ["goals"])
        #expect(records[RecordKey("goals", "g")]?.values == ["at": 2])
    }

    /// An app that is gone declares its collection no more, and may do so again.
    @Test(arguments: AccountAdapter.allCases)
    func recordsOfAnUndeclaredCollectionComeAlong(adapter: AccountAdapter) async throws {
        var world = try await MoveWorld(adapter)
        world.declared += [
            CollectionRules(CollectionDeclaration("old", .askUser)),
            CollectionRules(CollectionDeclaration("tally", .counter)),
        ]
        try await world.put("uA", "old", "own", ["at": 1], by: "dA")
        for (user, device, time) in [("uA", "dA", Int64(1)), ("uB", "dB", 2)] {
            try await world.put(user, "old", "same", ["at": 1], by: device, 2)
            try await world.put(
                user, "old", "both", ["of": .text(user)], by: device, 3, at: time)
            try await world.write(
                user, "tally", "t", .count(field: "n", CounterTotals(added: 10)), by: device, 4)
        }
        world.declared = MoveWorld.rules

        let move = try await world.move()

        let records = try await world.records("uB")
        #expect(records[RecordKey("old", "own")]?.values == ["at": 1])
        #expect(records[RecordKey("old", "same")]?.values == ["at": 1])
        #expect(records[RecordKey("old", "both")]?.values == ["of": "uB"])
        #expect(records[RecordKey("tally", "t")]?.values == ["n": 20])
        let differences = try await world.differences("uB")
        #expect(differences.map(\.kind) == [.lost])
        #expect(differences.map(\.version.values) == [["of": "uA"]])
        #expect(move.place.records == 4 && move.place.differences == 1)
    }

    // MARK: Who may

    @Test(arguments: AccountAdapter.allCases)
    func onlyATokenOfTheAccountMovesIt(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        let mover = world.mover()
        for proof in [world.own, "r1.made.up", ""] {
            #expect(
                await problemCode {
                    _ = try await mover.begin(from: "uA", proof: proof, into: "uB")
                } == .wrongCredentials)
        }
        try await world.accounts.store.revoke(world.proof, now: MoveWorld.now)
        #expect(
            await problemCode {
                _ = try await mover.begin(from: "uA", proof: world.proof, into: "uB")
            } == .wrongCredentials)
    }

    @Test(arguments: AccountAdapter.allCases)
    func anAccountWithASignInMethodNeedsAFreshSignIn(adapter: AccountAdapter) async throws {
        for isAuthenticated in [false, true] {
            let world = try await MoveWorld(adapter, isAuthenticated: isAuthenticated)
            try await world.accounts.write(.signIn(.setPassword(.sample("a@b.c"), of: "uA")))
            let late = MoveWorld.now + Double(ServiceLimits.freshSignInSeconds) + 1
            #expect(
                await problemCode { try await world.move(now: late) } == .needsFreshSignIn)
            guard isAuthenticated else { continue }
            #expect(try await world.move().isDone)
            #expect(try await world.accounts.store.password(of: "a@b.c") == nil)
        }
    }

    @Test(arguments: AccountAdapter.allCases)
    func anAccountWithARoleStays(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        _ = try await world.accounts.administration.set(
            .author, isGranted: true, of: "uA",
            AuditEntry(time: 1, actor: "operator:x", .roleGranted, "uA"))
        #expect(await problemCode { try await world.move() } == .hasRole)
    }

    @Test(arguments: AccountAdapter.allCases)
    func tooMuchForOneAccountChangesNothing(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        try await world.answer("uA", "dA", [1])
        try await world.accounts.ledger.exchange(
            LedgerReadSet(user: "uB", client: ClientID("x"), now: 1)
        ) { snapshot in
            var changes = LedgerChanges()
            changes.account = snapshot.account
            changes.account?.answerCount = ServiceLimits.answersPerUserMax
            return LedgerDecision(changes: changes, reply: ())
        }
        let error = await #expect(throws: RequestError.self) { try await world.move() }
        #expect(error?.code == .tooMuch)
        #expect(error?.numbers["answers"] == ServiceLimits.answersPerUserMax + 1)
        #expect(error?.numbers["answersMax"] == ServiceLimits.answersPerUserMax)
        #expect(try await world.held("uA") == ["dA": 1])
    }

    /// What was deleted and what the user agreed to stay behind, so they need no room.
    @Test(arguments: AccountAdapter.allCases)
    func onlyWhatMovesIsCounted(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        for (number, id) in ["a", "b", "c"].enumerated() {
            let counter = UInt64(number) + 1
            try await world.put("uA", "marks", id, ["at": 1], by: "dA", counter)
            guard id != "c" else { continue }
            try await world.put("uB", "marks", "B-" + id, ["at": 1], by: "dB", counter)
        }
        try await world.put("uA", "consents", "keyReview", ["isGiven": true], by: "dA", 4)
        let refused = await #expect(throws: RequestError.self) { try await world.move() }
        #expect(refused?.code == .tooMuch && refused?.numbers["records"] == 5)
        // There is room for one of its three records; tombstones need none.
        try await world.write("uA", "marks", "a", .delete, by: "dA", 5)
        try await world.write("uA", "marks", "b", .delete, by: "dA", 6)
        let moved = try await world.accounts.open(.id("uA")) { $0.moveTarget = "uB" }.mover
        let record = try #require(try await world.records("uA")[RecordKey("marks", "c")])
        #expect(moved?.collections == ["marks": 1])
        #expect(moved?.recordBytes == StoredJSON.text(record).utf8.count)
        #expect(try await world.move().place.records == 1)
        let ids = try await world.records("uB").keys.map(\.id).sorted()
        #expect(ids == ["B-a", "B-b", "c"])
    }

    // MARK: States

    @Test(arguments: AccountAdapter.allCases)
    func eachStateHasItsReply(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        let (mover, store) = (world.mover(), world.accounts.store)
        let begun = try await mover.begin(from: "uA", proof: world.proof, into: "uB")
        #expect(!begun.isDone)
        func code(_ body: () async throws -> Void) async -> ProblemCode? {
            await problemCode(body)
        }
        #expect(
            await code { _ = try await store.rotate(world.proof, now: MoveWorld.now) } == .moving)
        #expect(await code { _ = try await store.signInMethods(of: "uA") } == .moving)
        #expect(await code { try await store.markDeleted("uA", now: MoveWorld.now) } == .moving)
        #expect(
            await code {
                _ = try await mover.begin(from: "uA", proof: world.proof, into: "uC")
            } == .movedElsewhere)
        #expect(
            await code {
                _ = try await mover.begin(from: "uB", proof: world.own, into: "uC")
            } == .busy)

        let done = try await world.move()
        #expect(done.isDone)
        // A reply that was lost comes again, without steps.
        #expect(try await world.move() == done)
        #expect(
            await code { _ = try await store.rotate(world.proof, now: MoveWorld.now) }
                == .movedAccount)
        #expect(
            await code {
                _ = try await mover.begin(from: "uA", proof: world.proof, into: "uC")
            } == .movedElsewhere)

        // The target moves on: what moved into it is there, too.
        _ = try await mover.begin(from: "uB", proof: world.own, into: "uC")
        #expect(try await world.move(into: "uC").isDone)
    }

    /// The number of answers of a step is bounded; upkeep continues what nobody asks about.
    @Test(arguments: AccountAdapter.allCases)
    func aLargeMoveTakesSteps(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        let count = 2 * ServiceLimits.movedAnswersPerStep + 10
        try await world.answer("uA", "dA", Array(1...count))
        let mover = world.mover()
        var move = try await mover.begin(from: "uA", proof: world.proof, into: "uB")
        var steps: [Int] = []
        while !move.place.hasAnswers {
            let before = try await world.held("uB")["dA"] ?? 0
            move = try await mover.step(move)
            let after = try await world.held("uB")["dA"] ?? 0
            steps.append(after - before)
            if steps.count == 1 {
                #expect(try await world.accounts.storage.unfinishedMoves(limit: 9) == [move])
            }
        }
        #expect(steps.allSatisfy { $0 <= ServiceLimits.movedAnswersPerStep })
        #expect(steps.first == ServiceLimits.movedAnswersPerStep)
        while !move.isDone { move = try await mover.run(move) }
        #expect(try await world.held("uB") == ["dA": count])
        #expect(try await world.accounts.storage.unfinishedMoves(limit: 9).isEmpty)
    }

    /// A kill before each commit, and a reply that is lost after it: the end is the same.
    @Test(arguments: AccountAdapter.allCases, [false, true])
    func eachInterruptionIsContinued(adapter: AccountAdapter, isCommitted: Bool) async throws {
        func makeWorld() async throws -> MoveWorld {
            let world = try await MoveWorld(adapter)
            try await world.answer("uA", "dA", [1, 2, 3])
            try await world.answer("uA", "w", [1, 2])
            try await world.answer("uB", "w", [1, 5])
            for (user, device) in [("uA", "dA"), ("uB", "dB")] {
                try await world.put(user, "exams", "e", ["at": .text(user)], by: device)
                try await world.put(user, "goals", "g", ["at": .text(user)], by: device, 2)
            }
            return world
        }
        let plain = try await makeWorld()
        try await plain.move()
        let held = try await plain.held("uB")
        let differences = try await plain.differences("uB")
        for place in 1... {
            let world = try await makeWorld()
            let line = BreakingLine(world.accounts, at: place, isCommitted: isCommitted)
            let mover = AccountMover(
                accounts: AccountWorld.store(line), ledger: world.ledger(line),
                now: MoveWorld.now)
            do {
                var move = try await mover.begin(from: "uA", proof: world.proof, into: "uB")
                while !move.isDone { move = try await mover.run(move) }
            } catch is BreakingLine.Broken {
                try await world.move()
            }
            #expect(try await world.held("uB") == held, "write \(place)")
            #expect(try await world.differences("uB") == differences, "write \(place)")
            #expect(
                try await world.records("uB")[RecordKey("goals", "g")]?.values
                    == plain.records("uB")[RecordKey("goals", "g")]?.values)
            guard line.isBroken else { break }
        }
    }
}
