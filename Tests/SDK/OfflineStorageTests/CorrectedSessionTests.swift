import ContentModel
import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing

/// Results of sessions, other users, and content from which corrections are read.
@Suite struct CorrectedSessionTests {
    private let folder: TemporaryFolder
    private let store: UserStore
    private let bank = CorrectedBank.bank
    private let content = CorrectedBank()
    private let now = CorrectedBank.now

    init() throws {
        folder = try TemporaryFolder()
        store = try UserStore(folder: folder.url)
    }

    // MARK: Results

    @Test func aResultIsToldOnceWithItsPointsBeforeAndNow() throws {
        let sessions = [
            try content.session("old", [["a"], ["b"], ["a"], ["a"]], startedAt: now - 86_400),
            try content.session("new", [["b"], ["a"], ["a"], ["a"]]),
            try content.session("same", [["c"], ["a"], ["a"], ["a"]]),
        ]
        for session in sessions { try store.save(session, of: bank, now: session.startedAt) }
        let corrected = try content.corrected([0: "b"])
        let results = try store.applyCorrections(of: corrected, now: now)
        #expect(results.map(\.id) == ["new", "old"])
        #expect(results.map(\.formerCorrectCount) == [3, 3])
        #expect(results.map(\.correctCount) == [4, 2] && results[0].questionCount == 4)
        #expect(results[1].startedAt == now - 86_400 && results[1].bank == bank)
        #expect(try store.applyCorrections(of: corrected, now: now).isEmpty)

        let again = try store.applyCorrections(of: content.corrected([0: "b", 1: "b"]), now: now)
        let points = Dictionary(
            uniqueKeysWithValues: again.map { ($0.id, [$0.formerCorrectCount, $0.correctCount]) })
        #expect(points == ["new": [4, 3], "same": [3, 2], "old": [2, 3]])
        let back = try store.applyCorrections(of: content.former, now: now)
        // What is right in the end as it was is no news.
        #expect(back.map(\.id) == ["same"] && back[0].correctCount == 3)
    }

    @Test func aSavedSessionStaysAsItWasBesideItsNewGrades() throws {
        let session = try content.session("s", [["a"], ["b"], ["a"], ["a"]])
        try store.save(session, of: bank, now: now)
        try store.applyCorrections(of: content.corrected([0: "b"]), now: now)
        let saved = try #require(try store.session(id: "s"))
        #expect(saved.session == session)
        #expect(saved.regraded?.items.map { $0.answer?.isCorrect } == [false, false, true, true])
        #expect(try store.finishedSessions(limit: 5) == [saved])
        // Saving it again is no contradiction.
        try store.save(session, of: bank, now: now)
        try store.applyCorrections(of: content.former, now: now)
        #expect(try store.session(id: "s")?.regraded == nil)
    }

    @Test func anExamIsPassedAfterACorrection() throws {
        let session = try content.session("s", [["b"], ["b"], ["a"], ["a"]])
        #expect(SessionResult(session, passFraction: 0.75).hasPassed == false)
        try store.save(session, of: bank, now: now)
        try store.applyCorrections(of: content.corrected([0: "b"]), now: now)
        let regraded = try #require(try store.session(id: "s")?.regraded)
        #expect(SessionResult(regraded, passFraction: 0.75).hasPassed == true)
        #expect(SessionResult(regraded).domains["d0"]?.correctCount == 2)
    }

    @Test func anOpenSessionGoesOnAsItWas() throws {
        var random = SeededGenerator(seed: 1)
        var session = StudySession(
            id: "s", mode: .study,
            entries: content.questions.map {
                .init($0, contentVersion: $0.contentVersion, exposuresBefore: 0)
            }, now: now, using: &random)
        try session.answer(["a"], to: content.questions[0], now: now)
        try store.save(session, of: bank, now: now)
        #expect(try store.applyCorrections(of: content.corrected([0: "b"]), now: now).isEmpty)
        var open = try #require(try store.openSession(of: bank, mode: .study))
        #expect(open == session)
        try open.answer(["a"], to: content.questions[1], now: now)
        open.finish(now: now)
        try store.save(open, of: bank, now: now)
        let answers = try store.answers(of: bank)
        #expect(answers.map(\.isCorrect) == [false, true])
    }

    @Test func sessionsOfOtherBanksAreOfNoConcern() throws {
        let other = QuestionFilter.Bank.placement(language: "es")
        try store.save(content.session("s", [["a"]]), of: other, now: now)
        #expect(try store.applyCorrections(of: content.corrected([0: "b"]), now: now).isEmpty)
        #expect(try store.session(id: "s")?.regraded == nil)
        #expect(try store.answers(of: other).map(\.isCorrect) == [true])
    }

    // MARK: Users

    @Test func allUsersOfTheDeviceAreGradedAndOneIsTold() throws {
        try store.save(content.session("guest", [["a"]]), of: bank, now: now)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try store.save(content.session("ada", [["b"]]), of: bank, now: now)
        let results = try store.applyCorrections(of: content.corrected([0: "b"]), now: now)
        #expect(results.map(\.id) == ["ada"])
        #expect(try store.progressByDomain().map(\.correct) == [1])
        try store.signOut(erasing: true, lossIsAccepted: true)
        #expect(try store.answers(of: bank).map(\.isCorrect) == [false])
        #expect(try store.progressByDomain().map(\.correct) == [0])
        #expect(try store.session(id: "guest")?.regraded?.items[0].answer?.isCorrect == false)
        try expectAReplay()
    }

    @Test(arguments: [true, false])
    func answersAreBroughtAlongWithTheirGrades(isFirst: Bool) throws {
        try store.save(content.session("guest", [["a"]]), of: bank, now: now)
        try store.applyCorrections(of: content.corrected([0: "b"]), now: now)
        if !isFirst {
            try store.switchUser(to: "ada", bringing: .nothing, now: now)
            try store.save(content.session("ada", [["b"]]), of: bank, now: now)
            try store.signOut(erasing: false)
        }
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try store.progressByDomain().map(\.correct) == [isFirst ? 0 : 1])
        #expect(try store.session(id: "guest")?.regraded != nil)
        try expectAReplay()
    }

    private func expectAReplay() throws {
        let check = try store.verifySchedules(
            of: bank, by: ReviewScheduler(.rightOrWrong), now: now)
        #expect(check.differences.isEmpty)
    }

    // MARK: Content

    @Test func correctionsOfTheInstalledBanksAreApplied() throws {
        let fixture = try StoreFixture()
        let session = try content.session("s", [["b"]])
        try store.save(session, of: bank, now: now)
        // Without content, nothing is known.
        #expect(try store.applyCorrections(of: fixture.store, now: now).isEmpty)
        for (release, blueprint) in [content.former, try content.corrected([0: "b"])].enumerated() {
            let manifest = try fixture.stage(release: release + 1, [blueprint])
            try fixture.store.install(verifying: manifest, now: now)
            let results = try store.applyCorrections(of: fixture.store, now: now)
            #expect(results.map(\.correctCount) == (release == 0 ? [] : [1]))
            #expect(try store.applyCorrections(of: fixture.store, now: now).isEmpty)
        }
        let document = try DatabaseQueue(path: folder.path + "/user.sqlite").read {
            try String.fetchAll($0, sql: "SELECT document FROM correctedBank")
        }
        let bytes = try content.corrected([0: "b"]).canonicalBytes
        #expect(document == [Checksum(of: bytes).hex])
        // A release that is rolled back takes its corrections along.
        let manifest = try fixture.stage(release: 3, [content.former])
        try fixture.store.install(verifying: manifest, now: now)
        #expect(try store.applyCorrections(of: fixture.store, now: now).map(\.correctCount) == [0])
    }

    @Test func aBankThatCannotBeReadLeavesGradesAsTheyAre() throws {
        let fixture = try StoreFixture()
        try store.save(content.session("s", [["b"]]), of: bank, now: now)
        let manifest = try fixture.stage(release: 1, [try content.corrected([0: "b"])])
        try fixture.store.install(verifying: manifest, now: now)
        try store.applyCorrections(of: fixture.store, now: now)
        try DatabaseQueue(path: fixture.folder.path + "/store/content.sqlite").write {
            try $0.execute(sql: "UPDATE blob SET bytes = x'00'; DELETE FROM entry")
        }
        let damaged = try fixture.reopened()
        #expect(try store.applyCorrections(of: damaged, now: now).isEmpty)
        #expect(try store.answers(of: bank).map(\.isCorrect) == [true])
    }
}
