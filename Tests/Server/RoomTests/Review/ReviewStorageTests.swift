import Accounts
import ServiceAPI
import Testing
import UserData

@testable import Ledger
@testable import Review

/// What the review of keys reads of users, on every database.
@Suite struct ReviewStorageTests {
    static let adapters = AccountAdapter.allCases

    @Test(arguments: adapters)
    func nobodyContributesWithoutConsent(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        try await world.send("u", answers: [ReviewWorld.answer("q1")])
        try await world.consent("v", false)
        try await world.apply()
        try await world.send("v", answers: [ReviewWorld.answer("q1")])
        #expect(try await world.answers() == [])
        #expect(try await world.storage.contributors() == [])
    }

    @Test(arguments: adapters)
    func whoAgreesContributesEarlierAndLaterFirstAnswers(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        try await world.send(
            "u",
            answers: [
                ReviewWorld.answer("q1", ["b"], mode: "exam", isRandom: true),
                ReviewWorld.answer("q1", ["a"], exposures: 1),
                ReviewWorld.answer("q5", ["c"], exposures: 1),
                ReviewWorld.answer("q2", []), nil, ReviewWorld.answer("q3", ["#number", "3.14"]),
            ])
        try await world.consent("u")
        try await world.apply()
        #expect(
            try await world.answers().map(\.answer) == [
                FirstAnswer(
                    item: ReviewWorld.item("q1"), response: #"["b"]"#, mode: .exam,
                    isRandomlySelected: true),
                FirstAnswer(
                    item: ReviewWorld.item("q3"), response: ##"["#number","3.14"]"##,
                    mode: .study, isRandomlySelected: false),
            ])
        // Without another step: the exchange itself adds them.
        try await world.send("u", answers: [ReviewWorld.answer("q4", ["c"])])
        let later = try await world.answers()
        #expect(later.map(\.answer.item).last == ReviewWorld.item("q4"))
        #expect(Set(later.map(\.contributor)).count == 1)
        #expect(later.map(\.number) == later.map(\.number).sorted())
    }

    /// It gets a later number, so that a reader who has the answer learns of it.
    @Test(arguments: adapters)
    func aFirstAnswerThatIsTakenBackLeavesNone(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        func undo(_ row: AnswerRow, _ number: UInt64) -> AnswerRow {
            row.retraction(
                of: AnswerID(client: ClientID("u-phone"), number: number), at: row.milliseconds,
                offsetMinutes: nil)
        }
        let (early, stays) = (ReviewWorld.answer("q1", ["a"]), ReviewWorld.answer("q2", ["a"]))
        let late = ReviewWorld.answer("q3", ["a"])
        try await world.send("u", answers: [early, stays, undo(early, 1)])
        try await world.consent("u")
        try await world.apply()
        #expect(try await world.answers().map(\.answer.item) == [ReviewWorld.item("q2")])

        try await world.send("u", answers: [late])
        let known = try await world.answers()
        #expect(known.map(\.answer.item) == ["q2", "q3"].map { ReviewWorld.item($0) })
        try await world.send("u", device: "tablet", answers: [undo(late, 4)])
        // Another device's first answer does not take its place.
        try await world.send("u", device: "tablet", answers: [ReviewWorld.answer("q3", ["b"])])

        let later = try await world.answers()
        #expect(later.map(\.answer.response) == [#"["a"]"#, ""])
        #expect(later.last?.answer.item == ReviewWorld.item("q3"))
        #expect((later.last?.number ?? 0) > (known.last?.number ?? 0))
        // Both in one request: the review never sees the answer.
        let both = ReviewWorld.answer("q4", ["a"])
        try await world.send("u", answers: [both, undo(both, 5)])
        #expect(try await world.answers() == later)
    }

    @Test(arguments: adapters)
    func aConsentAddsABoundedNumberOfEarlierAnswers(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        let most = ServiceLimits.firstAnswersPerConsent
        for start in stride(from: 0, to: most + 5_000, by: 5_000) {
            try await world.send(
                "u", answers: (start..<start + 5_000).map { ReviewWorld.answer("q\($0)") })
        }
        // Everybody else waits while a consent is applied, however often it is given and taken back.
        for isGiven in [true, false, true] {
            try await world.consent("u", isGiven)
            try await world.apply()
            let count = try await world.storage.firstAnswers(after: 0, limit: 2 * most).count
            #expect(count == (isGiven ? most : 0))
        }
    }

    @Test(arguments: adapters)
    func aLearnerCountsOnceForEachVersionOfAQuestion(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        try await world.consent("u")
        try await world.apply()
        try await world.send("u", answers: [ReviewWorld.answer("q1", ["a"])])
        try await world.send("u", device: "tablet", answers: [ReviewWorld.answer("q1", ["b"])])
        try await world.send(
            "u", device: "tablet", answers: [ReviewWorld.answer("q1", ["c"], version: "2")])
        #expect(
            try await world.answers().map { [$0.answer.item.description, $0.answer.response] } == [
                [ReviewWorld.item("q1").description, #"["a"]"#],
                [ReviewWorld.item("q1", version: "2").description, #"["c"]"#],
            ])
    }

    @Test(arguments: adapters)
    func answersAreReadOnInTheOrderOfTheirNumbers(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        for user in ["u", "v"] { try await world.consent(user) }
        try await world.apply()
        try await world.send("u", answers: (1...3).map { ReviewWorld.answer("q\($0)") })
        let first = try await world.storage.firstAnswers(after: 0, limit: 2)
        #expect(first.count == 2)
        try await world.send("v", answers: [ReviewWorld.answer("q1")])
        let rest = try await world.storage.firstAnswers(
            after: first.last?.number ?? 0, limit: 10)
        #expect(rest.count == 2)
        #expect(Set(rest.map(\.contributor)).count == 2)
    }

    @Test(arguments: adapters)
    func whoTakesTheConsentBackLeavesNothing(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        for user in ["u", "v"] { try await world.consent(user) }
        try await world.apply()
        let before = try await world.storage.contributorCount(through: nil)
        #expect(before.count == 2)
        for user in ["u", "v"] {
            try await world.send(user, answers: [ReviewWorld.answer("q1")])
        }
        let known = try await world.answers()
        try #require(known.count == 2)
        try await world.consent("u", false)
        try await world.apply()
        #expect(try await world.answers() == [known[1]])
        #expect(
            try await world.storage.contributorCount(through: before.highest).count == 1)
        // Later answers of u do not count; who agrees again is somebody new.
        try await world.send("u", answers: [ReviewWorld.answer("q2")])
        #expect(try await world.answers().count == 1)
        try await world.consent("u")
        try await world.apply()
        let again = try await world.answers()
        #expect(again.count == 3)
        #expect(!again.dropFirst().contains { $0.contributor == known[0].contributor })
        #expect(again.dropFirst().allSatisfy { $0.number > known[1].number })
    }

    @Test(arguments: adapters)
    func aDeletedAccountLeavesNothingAtOnce(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        try await world.consent("u")
        try await world.report("u", .sample())
        try await world.apply()
        try await world.send("u", answers: [ReviewWorld.answer("q1")])
        #expect(try await world.answers().count == 1)
        try await world.send("u", answers: [ReviewWorld.answer("q2")])
        try await world.accounts.write(.markDeleted("u", at: 1))
        #expect(try await world.answers() == [])
        #expect(try await world.storage.contributors() == [])
        #expect(try await world.storage.reportCounts() == [])
        #expect(try await world.storage.reports(bank: nil, question: nil, limit: 9) == [])
    }

    @Test(arguments: adapters)
    func oneUsersReportsAreOneForEachQuestion(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        try await world.report("u", .sample(text: "first"))
        try await world.apply()
        try await world.report("u", .sample(reason: .unclear, text: "second"))
        try await world.report("v", .sample(version: "2"))
        try await world.report("v", .sample(question: "q2"))
        try await world.apply()
        #expect(
            Set(try await world.storage.reportCounts()) == [
                ReportCount(bank: "int/swift", question: "q1", version: "1", learners: 1),
                ReportCount(bank: "int/swift", question: "q1", version: "2", learners: 1),
                ReportCount(bank: "int/swift", question: "q2", version: "1", learners: 1),
            ])
        let reports = try await world.storage.reports(
            bank: "int/swift", question: "q1", limit: 9)
        #expect(Set(reports.map { "\($0.reason) \($0.text)" }) == ["unclear second", "wrong-key "])
        // Taken back.
        try await world.send(
            "u",
            changes: [
                (RecordKey("questionReports", QuestionReport.sample().recordID), .delete)
            ])
        try await world.apply()
        #expect(try await world.storage.reportCounts().count == 2)
    }

    @Test(arguments: adapters)
    func aLearnersNewestReportsCountUpToALimit(adapter: AccountAdapter) async throws {
        let world = try await ReviewWorld(adapter)
        let limit = ServiceLimits.reportsCountedMax
        try await world.send(
            "u",
            changes: (1...limit + 5).map { number in
                let report = QuestionReport.sample(question: "q\(number)")
                return (RecordKey("questionReports", report.recordID), .put(report.fields))
            })
        try await world.apply()
        let counts = try await world.storage.reportCounts()
        #expect(counts.count == limit)
        #expect(!counts.contains { $0.question == "q1" })
        #expect(counts.contains { $0.question == "q\(limit + 5)" })
    }
}

extension QuestionReport {
    static func sample(
        question: String = "q1", version: String = "1", reason: Reason = .wrongKey,
        text: String = ""
    ) -> QuestionReport {
        QuestionReport(
            bank: "int/swift", question: question, version: version, reason: reason, text: text)
    }
}
