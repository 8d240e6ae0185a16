import ContentModel
import Testing

@testable import ContentDatabase

@Suite struct FillPlanTests {
    private static let now = Moment(microseconds: 5_000_000)
    private static let manifest = Checksum(of: Array("manifest".utf8))
    private static let first = Checksum(of: Array("first".utf8))
    private static let second = Checksum(of: Array("second".utf8))
    private let aws = ExamKey("de/aws")!

    private static func release(
        _ number: Int, _ exams: [String: (bank: Checksum, seconds: Int?)]
    ) -> Manifest {
        Manifest(
            release: number,
            exams: exams.mapValues { exam in
                ExamEntry(
                    contentUpdatedAt: exam.seconds.map { "1970-01-01T00:00:0\($0)Z" },
                    blueprint: ContentReference(checksum: exam.bank, size: 1))
            })
    }

    private static func state(
        _ release: Int, _ exams: [ExamKey: FilledState.Exam] = [:],
        removed: [ExamKey: Moment] = [:]
    ) -> FilledState {
        FilledState(
            revision: 7, release: release, manifest: "other", exams: exams, removed: removed)
    }

    private static func plan(_ manifest: Manifest, from state: FilledState) -> FillPlan? {
        FillPlan(to: manifest, Self.manifest, from: state, now: now)
    }

    private func seconds(_ number: Int64) -> Moment { Moment(microseconds: number * 1_000_000) }

    @Test func aNewExamHasItsStatedTimeOrNow() throws {
        let plan = Self.plan(
            Self.release(1, ["de/aws": (Self.first, 3), "de/b": (Self.first, nil)]),
            from: Self.state(0))
        #expect(plan?.changes.map(\.updatedAt) == [seconds(3), Self.now])
        #expect(plan?.hasRevision == true)
    }

    @Test func anUnchangedBankIsNotWritten() {
        let present = FilledState.Exam(checksum: Self.first.description, updatedAt: seconds(3))
        let plan = Self.plan(
            Self.release(2, ["de/aws": (Self.first, 3)]), from: Self.state(1, [aws: present]))
        #expect(plan?.changes == [] && plan?.removed == [] && plan?.hasRevision == false)
    }

    /// A device may ask by the time that the manifest states, so the tables' time follows it.
    @Test func aLaterTimeOfAnUnchangedBankIsNoted() {
        let present = FilledState.Exam(checksum: Self.first.description, updatedAt: seconds(3))
        let plan = Self.plan(
            Self.release(2, ["de/aws": (Self.first, 4)]), from: Self.state(1, [aws: present]))
        #expect(plan?.changes == [.init(exam: aws, bank: nil, updatedAt: seconds(4))])
        #expect(plan?.hasRevision == false)
    }

    @Test func aTimeNeverGoesBack() {
        let present = FilledState.Exam(checksum: Self.first.description, updatedAt: seconds(4))
        let rolledBack = Self.plan(
            Self.release(2, ["de/aws": (Self.second, 3)]), from: Self.state(1, [aws: present]))
        #expect(rolledBack?.changes.map(\.updatedAt) == [seconds(4)])
        let again = Self.plan(
            Self.release(2, ["de/aws": (Self.second, 3)]),
            from: Self.state(1, removed: [aws: seconds(4)]))
        #expect(again?.changes.map(\.updatedAt) == [seconds(4)])
    }

    @Test func anExamThatIsGoneIsRemoved() {
        let present = FilledState.Exam(checksum: Self.first.description, updatedAt: seconds(8))
        let plan = Self.plan(Self.release(2, [:]), from: Self.state(1, [aws: present]))
        #expect(plan?.removed == [.init(exam: aws, bank: nil, updatedAt: seconds(8))])
        #expect(plan?.hasRevision == true)
    }

    @Test func anOlderReleaseAndTheSameManifestChangeNothing() {
        let release = Self.release(2, ["de/aws": (Self.first, 3)])
        #expect(Self.plan(release, from: Self.state(3)) == nil)
        var same = Self.state(2)
        same.manifest = Self.manifest.description
        #expect(Self.plan(release, from: same) == nil)
    }
}

@Suite struct BankChangeTests {
    private static func bank(_ stems: KeyValuePairs<String, String>) -> Blueprint {
        Blueprint(
            kind: .exam, id: "de/aws", title: "t", version: "1",
            questions: stems.map { id, stem in
                Question(
                    id: id, type: .singleChoice, difficulty: 1, stem: stem,
                    options: [
                        QuestionOption(id: "a", text: "A"), QuestionOption(id: "b", text: "B"),
                    ], correct: [0])
            })
    }

    private static func rows(_ bank: Blueprint) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: BankChange(to: bank, from: [:]).written.map {
                ($0.id, $0.checksum)
            })
    }

    @Test func onlyDifferencesAreWritten() {
        let before = Self.rows(Self.bank(["a": "1", "b": "2", "c": "3"]))
        let change = BankChange(to: Self.bank(["d": "4", "b": "2", "a": "5"]), from: before)
        #expect(change.written.map(\.id) == ["d", "a"])
        #expect(change.removed == ["c"])
        #expect(change.leftOut == [])
    }

    @Test func aQuestionThatTheDatabaseCannotStoreIsNamed() {
        let before = Self.rows(Self.bank(["a": "1"]))
        let change = BankChange(to: Self.bank(["a": "1\u{0}"]), from: before)
        #expect(change.leftOut == ["a"])
        // What devices no longer see is not shown by the tables either.
        #expect(change.removed == ["a"] && change.written == [])
    }

    @Test func batchesAreBoundedInRowsAndBytes() {
        let bank = Self.bank([
            "a": "1", "b": "2", "c": String(repeating: "x", count: 900), "d": "4",
        ])
        let change = BankChange(to: bank, from: [:])
        #expect(change.batches(rowsMax: 3, bytesMax: 10_000).map(\.count) == [3, 1])
        #expect(change.batches(rowsMax: 9, bytesMax: 500).map(\.count) == [2, 1, 1])
        #expect(change.batches(rowsMax: 9, bytesMax: 0).map(\.count) == [1, 1, 1, 1])
        #expect(BankChange(to: Self.bank([:]), from: [:]).batches(rowsMax: 1, bytesMax: 1) == [])
    }
}
