import ContentModel
import Review
import Testing

/// The corrections of a release as a server applies them to answers whose policy it does not know.
@Suite struct ReleaseCorrectionsTests {
    private static func question(_ key: [Int]) -> Question {
        Question(
            id: "q1", type: key.count > 1 ? .multiChoice : .singleChoice, difficulty: 1,
            stem: "Which?", options: ["a", "b", "c"].map { QuestionOption(id: $0, text: $0) },
            correct: key)
    }

    private static func served(
        _ key: [Int] = [0], was: String = "b", without option: String? = nil
    ) -> ServedCorrections {
        var question = question(key)
        question.options.removeAll { $0.id == option }
        let bank = Blueprint(
            kind: .exam, id: "int/demo", title: "Demo", version: "1", questions: [question],
            corrections: [
                GradeCorrection(
                    question: "q1", versions: ["v1"], was: was, is: question.keyLabel),
                GradeCorrection(question: "gone", versions: ["v1"], was: "a", is: "b"),
            ])
        return ReleaseCorrections(
            release: 3, banks: [.init(name: "int/demo", blueprint: bank)]
        ).served
    }

    private static let version = ServedCorrections.Version(
        bank: "int/demo", question: "q1", version: "v1")

    @Test func onlyWhatCanBeGradedIsServed() {
        let served = Self.served()
        #expect(served.release == 3 && served.versions == [Self.version])
        #expect(served.digest == Self.served().digest)
        #expect(served.digest != Self.served([2]).digest)
    }

    @Test(arguments: [
        (["a"], false, 0.0, true, 1.0), (["b"], true, 1.0, false, 0.0),
        // A credit of another policy: it stays with a wrong answer, and goes with a right one.
        (["a"], false, -0.25, true, 1.0), (["b"], true, 0.5, false, 0.0),
    ])
    func gradesChange(
        response: [String], isCorrect: Bool, credit: Double, isRight: Bool, worth: Double
    ) {
        let grade = Self.served().grade(
            Self.version, response, .init(isCorrect: isCorrect, credit: credit))
        #expect(grade == .init(isCorrect: isRight, credit: worth))
    }

    @Test(arguments: [
        (["c"], false, 0.0), (["c"], false, -0.25), ([], false, 0.0), (["z"], false, 0.0),
        (["a"], true, 1.0),
    ])
    func gradesStay(response: [String], isCorrect: Bool, credit: Double) {
        let grade = Self.served().grade(
            Self.version, response, .init(isCorrect: isCorrect, credit: credit))
        #expect(grade == nil)
    }

    @Test func anOptionThatGoesIsAnotherSetOfCorrections() {
        let served = Self.served(without: "b")
        #expect(Self.served(without: "c").digest != Self.served().digest)
        #expect(
            served.grade(Self.version, ["b"], .init(isCorrect: true, credit: 1))
                == .init(isCorrect: false, credit: 0))
    }

    @Test func aVersionThatNoCorrectionNamesStays() {
        var other = Self.version
        other.version = "v2"
        #expect(Self.served().grade(other, ["a"], .init(isCorrect: false, credit: 0)) == nil)
    }
}
