import ContentModel
import Foundation
import QuestionEngine
import Testing

/// Answers that are graded again by a bank's corrections.
@Suite struct GradeCorrectionsTests {
    private static func question(_ key: Int, type: QuestionType = .singleChoice) -> Question {
        Question(
            id: "q1", type: type, difficulty: 1, stem: "Which?",
            options: ["a", "b", "c"].map { QuestionOption(id: $0, text: $0) }, correct: [key])
    }

    private static let wrong = question(1).contentVersion

    private func bank(_ corrections: [GradeCorrection], key: Int = 0) -> Blueprint {
        Blueprint(
            kind: .exam, id: "int/demo", title: "Demo", version: "1",
            questions: [Self.question(key)], corrections: corrections)
    }

    private static let usual = GradeCorrection(
        question: "q1", versions: [wrong], was: "b", is: "a")

    private func record(
        _ response: String, version: String = wrong, isCorrect: Bool, rating: Rating? = nil
    ) -> AnswerRecord {
        AnswerRecord(
            sessionID: "s", questionID: "q1", contentVersion: version,
            response: response.isEmpty ? [] : [response], isCorrect: isCorrect,
            credit: isCorrect ? 1 : 0, rating: rating, timeTaken: 1, exposuresBefore: 0,
            mode: .study, isRandomlySelected: false, date: Date(timeIntervalSince1970: 0))
    }

    @Test func whatWasWrongIsRightAndTheOtherWayRound() throws {
        let corrections = GradeCorrections(bank([Self.usual]))
        let right = try #require(corrections.regraded(record("a", isCorrect: false)))
        #expect(right.isCorrect && right.credit == 1)
        let wrong = try #require(corrections.regraded(record("b", isCorrect: true)))
        #expect(!wrong.isCorrect && wrong.credit == 0)
        #expect(wrong.contentVersion == Self.wrong && wrong.response == ["b"])
        #expect(corrections.regraded(record("c", isCorrect: false)) == nil)
        #expect(corrections.regraded(record("", isCorrect: false)) == nil)
        #expect(corrections.regraded(record("gone", isCorrect: false)) == nil)
    }

    @Test func onlyNamedVersionsAreGradedAgain() {
        let corrections = GradeCorrections(bank([Self.usual]))
        #expect(corrections.regraded(record("a", version: "other", isCorrect: false)) == nil)
        #expect(corrections.versions.map(\.version) == [Self.wrong])
        #expect(GradeCorrections(bank([])).isEmpty)
    }

    /// A rating speaks of how well something was known that now is wrong.
    @Test func aRatingThatDisagreesGoes() throws {
        let corrections = GradeCorrections(bank([Self.usual]))
        let wrong = record("b", isCorrect: true, rating: .easy)
        #expect(corrections.regraded(wrong)?.rating == .again)
        let right = record("a", isCorrect: false, rating: .again)
        #expect(try #require(corrections.regraded(right)).rating == nil)
    }

    @Test(arguments: [QuestionType.singleChoice, .multiChoice])
    func aWrongOptionThatIsGoneNowWasWrongAllTheSame(type: QuestionType) throws {
        var bank = bank([Self.usual])
        bank.questions[0].type = type
        bank.questions[0].options.remove(at: 1)
        let corrections = GradeCorrections(bank)
        let wrong = try #require(corrections.regraded(record("b", isCorrect: true)))
        #expect(!wrong.isCorrect && wrong.credit == 0)
        #expect(corrections.regraded(record("a", isCorrect: false))?.isCorrect == true)
    }

    @Test func everyFormerKeyStaysWrongWhenItsOptionGoes() throws {
        var first = Self.usual
        first.is = "a"
        let second = GradeCorrection(
            question: "q1", versions: [Self.wrong, "v2"], was: "a", is: "c")
        var bank = bank([first, second], key: 2)
        bank.questions[0].options.remove(at: 1)
        bank.questions[0].correct = [1]
        let corrections = GradeCorrections(bank)
        #expect(corrections.regraded(record("b", isCorrect: true))?.isCorrect == false)
        #expect(corrections.regraded(record("c", isCorrect: false))?.isCorrect == true)
    }

    @Test func aCorrectionWhoseWrongKeyIsTheKeyAgainWasTakenBack() {
        #expect(GradeCorrections(bank([Self.usual], key: 1)).isEmpty)
        // An earlier correction to the present key counts on.
        let later = GradeCorrection(question: "q1", versions: [Self.wrong], was: "a", is: "c")
        let corrections = GradeCorrections(bank([Self.usual, later]))
        #expect(corrections.regraded(record("b", isCorrect: true))?.isCorrect == false)
    }

    /// The option of a former right key is known for its wrong answers alone: it is none that can be right.
    @Test func aRightKeyThatTheQuestionCannotHaveAnyMoreCorrectsNothing() {
        let back = GradeCorrection(question: "q1", versions: [Self.wrong, "v2"], was: "b", is: "a")
        let forth = GradeCorrection(question: "q1", versions: ["v3"], was: "a", is: "c")
        var bank = bank([forth, back], key: 2)
        bank.questions[0].options.remove(at: 0)
        bank.questions[0].correct = [1]
        let corrections = GradeCorrections(bank)
        #expect(corrections.regraded(record("b", isCorrect: true)) == nil)
        #expect(corrections.question("q1", version: "v3") != nil)
    }

    @Test func ofTwoForAVersionTheLaterCounts() {
        var later = Self.usual
        later.is = "c"
        let corrections = GradeCorrections(bank([Self.usual, later], key: 2))
        #expect(corrections.regraded(record("c", isCorrect: false))?.isCorrect == true)
        #expect(corrections.regraded(record("a", isCorrect: false)) == nil)
    }

    @Test func whatTheBankCannotSayIsLeftOut() {
        var gone = Self.usual
        gone.question = "q2"
        var impossible = Self.usual
        impossible.is = "z"
        #expect(GradeCorrections(bank([gone, impossible])).isEmpty)
    }
}
