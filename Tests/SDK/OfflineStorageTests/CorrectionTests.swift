import ContentModel
import Foundation
import GRDB
import QuestionEngine
import TestSupport
import Testing
import UserData

@testable import OfflineStorage

/// Stored answers that are graded again when a key was wrong.
@Suite struct CorrectionTests {
    private let folder: TemporaryFolder
    private let store: UserStore
    private let bank = CorrectedBank.bank
    private let content = CorrectedBank()
    private let now = CorrectedBank.now

    init() throws {
        folder = try TemporaryFolder()
        store = try UserStore(folder: folder.url)
    }

    private func grades(_ store: UserStore? = nil) throws -> [Bool] {
        try (store ?? self.store).answers(of: bank).map(\.isCorrect)
    }

    private func expectAReplay(_ store: UserStore? = nil) throws {
        let check = try (store ?? self.store).verifySchedules(
            of: bank, by: ReviewScheduler(.rightOrWrong), now: now)
        #expect(check.differences.isEmpty)
    }

    private func schedules() throws -> [String: StudiedQuestion] {
        try store.schedules(of: bank, by: ReviewScheduler(.rightOrWrong), now: now)
    }

    private func rows(_ sql: String) throws -> [Row] {
        try DatabaseQueue(path: folder.path + "/user.sqlite").read {
            try Row.fetchAll($0, sql: sql)
        }
    }

    // MARK: Both directions

    @Test func whatIsMadeOfAnswersFollowsACorrectionAndTheyStayAsTheyWere() throws {
        let answers = [
            content.answer(0, ["a"]), content.answer(0, ["b"], hours: 30),
            content.answer(1, ["b"], hours: 31), content.answer(2, ["c"], hours: 32),
        ]
        try store.add(answers, to: bank, now: now)
        let (before, export) = (try schedules(), try store.export(user: store.user))
        let stored = try rows("SELECT * FROM answer")

        try store.applyCorrections(of: content.corrected([0: "b"]), now: now)

        #expect(try grades() == [false, true, false, false])
        #expect(try store.answers(of: bank).map(\.credit) == [0, 1, 0, 0])
        #expect(
            try store.progressByDomain().map { [$0.correct, $0.answers] } == [[1, 3], [0, 1]])
        #expect(try store.progressByDay().map(\.correct).sorted() == [0, 1])
        let after = try schedules()
        #expect(after["q0"] != before["q0"] && after["q1"] == before["q1"])
        #expect(after["q0"]?.answerCount == 2)
        try expectAReplay()
        #expect(try store.export(user: store.user) == export)
        #expect(try rows("SELECT * FROM answer") == stored)
    }

    @Test func aCorrectionIsAppliedOnceAndTakenBackWithTheRelease() throws {
        try store.add([content.answer(0, ["a"]), content.answer(1, ["b"])], to: bank, now: now)
        let (schedules, days) = (try schedules(), try store.progressByDay())
        let corrected = try content.corrected([0: "b", 1: "b"])
        try store.applyCorrections(of: corrected, now: now)
        #expect(try grades() == [false, true])
        let known = try rows("SELECT * FROM gradeCorrection")
        #expect(known.count == 2)
        try store.applyCorrections(of: corrected, now: now.addingTimeInterval(60))
        #expect(try rows("SELECT * FROM gradeCorrection") == known)
        #expect(try store.progressByDay().map(\.correct) == [1])

        try store.applyCorrections(of: content.former, now: now)
        #expect(try grades() == [true, false])
        #expect(try self.schedules() == schedules && store.progressByDay() == days)
        #expect(try rows("SELECT * FROM gradeCorrection").isEmpty)
        try expectAReplay()
    }

    @Test func aCorrectionOfACorrectionCounts() throws {
        try store.add(["a", "b", "c"].map { content.answer(0, [$0]) }, to: bank, now: now)
        try store.applyCorrections(of: content.corrected([0: "b"]), now: now)
        #expect(try grades() == [false, true, false])
        try store.applyCorrections(of: content.corrected([0: "c"]), now: now)
        #expect(try grades() == [false, false, true])
        #expect(try store.progressByDay().map(\.correct) == [1])
        try expectAReplay()
    }

    @Test func aKeyThatOnlyChangedGradesNothingAgain() throws {
        try store.add([content.answer(0, ["a"])], to: bank, now: now)
        let release = try content.corrected([0: "b"], isNamed: false)
        #expect(try store.applyCorrections(of: release, now: now).isEmpty)
        // An answer to the new version is graded by that.
        try store.add([content.answer(0, ["b"], to: release, hours: 1)], to: bank, now: now)
        #expect(try grades() == [true, true])
    }

    @Test func theAnswersToAQuestionThatIsGoneKeepTheirGrades() throws {
        try store.add([content.answer(0, ["a"]), content.answer(1, ["a"])], to: bank, now: now)
        var release = try content.corrected([0: "b", 1: "b"])
        release.questions.remove(at: 0)
        try store.applyCorrections(of: release, now: now)
        #expect(try grades() == [true, false])
        try expectAReplay()
    }

    // MARK: Ratings and kinds of questions

    @Test func aRatingStaysOnlyWhereItAgreesWithTheGrade() throws {
        try store.add(
            [
                content.answer(0, ["a"], rating: .easy), content.answer(0, ["b"], rating: .again),
                content.answer(0, ["c"], rating: .again), content.answer(0, ["a"]),
            ], to: bank, now: now)
        try store.applyCorrections(of: content.corrected([0: "b"]), now: now)
        #expect(try store.answers(of: bank).map(\.rating) == [.again, nil, .again, nil])
        try expectAReplay()
    }

    @Test(arguments: [QuestionType.multiChoice, .ordering, .numericEntry])
    func allKindsAreGradedAgain(type: QuestionType) throws {
        var content = CorrectedBank(questions: 1)
        let (wrong, right): (QuestionResponse, QuestionResponse)
        let key: String
        content.questions[0].type = type
        switch type {
        case .numericEntry:
            let five = try #require(NumericKey(notation: "5:0.5"))
            content.questions[0].key = .number(NumericKey(five.accepted, unit: "m"))
            content.questions[0].options = []
            // The tolerance stays.
            (key, wrong) = ("7", .number(5))
            right = .number(try #require(DecimalNumber("7.4")))
        case .ordering:
            content.questions[0].correct = [0, 1, 2]
            (key, wrong, right) = ("c b a", ["a", "b", "c"], ["c", "b", "a"])
        default:
            content.questions[0].correct = [0, 1]
            (key, wrong, right) = ("b c", ["a", "b"], ["c", "b"])
        }
        try store.add(
            [content.answer(0, wrong), content.answer(0, right, hours: 1)], to: bank, now: now)
        #expect(try grades() == [true, false])
        try store.applyCorrections(of: content.corrected([0: key]), now: now)
        #expect(try grades() == [false, true])
        // What comes later is graded by what the store kept of the question.
        try store.add([content.answer(0, right, hours: 2)], to: bank, now: now)
        #expect(try grades() == [false, true, true])
        #expect(try store.progressByDay().map(\.correct) == [2])
        try expectAReplay()
    }

    @Test func partOfTheCreditIsByThePolicyOfTheSession() throws {
        var content = CorrectedBank(questions: 2)
        for index in 0..<2 { content.questions[index].type = .multiChoice }
        let policy = ScoringPolicy(choice: .perOption)
        let session = try content.session("s", [["a"], ["b"]], policy: policy)
        try store.save(session, of: bank, now: now)
        // Another device's session, whose policy this one does not know.
        var other = content.answer(0, ["c"], hours: 1, session: "elsewhere")
        other.credit = 0.25
        try store.add([other], to: bank, now: now)
        try store.applyCorrections(of: content.corrected([0: "b c", 1: "b c"]), now: now)
        let answers = Dictionary(grouping: try store.answers(of: bank)) {
            $0.sessionID + $0.questionID
        }
        #expect(answers["sq0"]?.map(\.credit) == [0])
        #expect(abs((answers["sq1"]?.first?.credit ?? 0) - 2.0 / 3) < 1e-9)
        #expect(answers["elsewhereq0"]?.map(\.credit) == [0.25])
        let regraded = try #require(try store.session(id: "s")?.regraded)
        #expect(abs(SessionResult(regraded).total.credit - 2.0 / 3) < 1e-9)
    }

    @Test func aResponseThatTheQuestionNoLongerHasKeepsItsGrade() throws {
        try store.add([content.answer(0, ["c"]), content.answer(0, [])], to: bank, now: now)
        var release = try content.corrected([0: "b"])
        release.questions[0].options.removeLast()
        try store.applyCorrections(of: release, now: now)
        #expect(try grades() == [false, false] && store.answers(of: bank).map(\.credit) == [0, 0])
        try expectAReplay()
    }

    // MARK: Order of arrival

    @Test func answersThatComeAfterTheCorrectionAreGradedByIt() throws {
        let corrected = try content.corrected([0: "b"])
        let late = [content.answer(0, ["b"]), content.answer(0, ["a"], hours: 40)]
        try store.applyCorrections(of: corrected, now: now)
        try store.add(late, to: bank, now: now)
        let other = try UserStore(folder: folder.url.appending(path: "other"))
        try other.add(late, to: bank, now: now)
        try other.applyCorrections(of: corrected, now: now)
        #expect(try grades() == [true, false] && grades(other) == [true, false])
        #expect(try store.progressByDay() == other.progressByDay())
        #expect(try store.progressByDomain() == other.progressByDomain())
        let scheduler = try ReviewScheduler(.rightOrWrong)
        #expect(
            try store.schedules(of: bank, by: scheduler, now: now)
                == other.schedules(of: bank, by: scheduler, now: now))
        try expectAReplay()
    }

    @Test func aRunThatWaitsToBeCountedIsGradedWhenItIs() throws {
        var devices = OtherDevices(["tablet"], start: now, questions: 1)
        let rows = (0..<600).map { index in
            AnswerRow(content.answer(index % 2, ["b"], hours: Double(index)), bank: bank.name)
        }
        try devices.pull(rows, of: "tablet", into: store, now: now)
        try store.applyCorrections(of: content.corrected([0: "b"]), now: now)
        #expect(try store.progressByDomain().map(\.correct) == [300, 0])
        try expectAReplay()
    }

    // MARK: One transaction

    @Test func aFailureOnTheWayLeavesNothingOfIt() throws {
        try store.add([content.answer(0, ["a"]), content.answer(1, ["a"])], to: bank, now: now)
        let database = try DatabaseQueue(path: folder.path + "/user.sqlite")
        try database.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER failing BEFORE UPDATE ON studyDay
                    BEGIN SELECT RAISE(ABORT, 'a failure'); END
                    """)
        }
        let corrected = try content.corrected([0: "b"])
        #expect(throws: (any Error).self) {
            try store.applyCorrections(of: corrected, now: now)
        }
        #expect(try grades() == [true, true])
        #expect(try rows("SELECT * FROM gradeCorrection").isEmpty)
        try expectAReplay()
        try database.write { try $0.execute(sql: "DROP TRIGGER failing") }
        try store.applyCorrections(of: corrected, now: now)
        #expect(try grades() == [false, true])
        try expectAReplay()
    }

    @Test func twoProcessesApplyACorrectionOnce() throws {
        try store.add([content.answer(0, ["a"])], to: bank, now: now)
        let other = try UserStore(folder: folder.url)
        let corrected = try content.corrected([0: "b"])
        try store.applyCorrections(of: corrected, now: now)
        try other.applyCorrections(of: corrected, now: now)
        #expect(try other.progressByDay().map(\.correct) == [0] && grades(other) == [false])
        try expectAReplay(other)
    }

    @Test func screensAreToldThatCountsAreOthers() async throws {
        try store.add([content.answer(0, ["a"])], to: bank, now: now)
        var changes = store.changedRecords().makeAsyncIterator()
        let corrected = try content.corrected([0: "b"])
        try store.applyCorrections(of: corrected, now: now)
        #expect(await changes.next() == [])
    }
}
