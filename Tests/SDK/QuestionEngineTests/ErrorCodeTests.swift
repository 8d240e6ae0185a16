import ContentModel
import Foundation
import QuestionEngine
import Testing

/// Errors of the engine as an app shows them.
@Suite struct ErrorCodeTests {
    private static let errors: [(any EngineError, code: String, remedy: String)] = [
        (StudySessionError.paused, "sessionPaused", "resume it"),
        (StudySessionError.finished, "sessionFinished", "begin another"),
        (StudySessionError.nothingLeft, "noQuestionLeft", "finish it"),
        (StudySessionError.noSuchItem(7), "unknownQuestion", "take one of"),
        (StudySessionError.notOnScreen(question: "q"), "notOnScreen", "go to it"),
        (StudySessionError.answeredBefore(question: "q"), "answeredBefore", "go to the next"),
        (StudySessionError.ratingNotAwaited(question: "q"), "ratingNotAwaited", "before the next"),
        (StudySessionError.examNotUndoable, "notUndoable", "An exam's answers cannot be undone."),
        (StudySessionError.ofAnotherDay, "notUndoable", "This answer is of another day."),
        (StudySessionError.nothingToUndo, "notUndoable", "There is nothing to undo."),
        (GradingError.noKey(question: "q"), "noKey", "leave it out"),
        (GradingError.brokenKey(question: "q"), "brokenKey", "leave it out"),
        (GradingError.unknownOption("z", question: "q"), "unknownOption", "choose one"),
        (GradingError.repeatedOption("z", question: "q"), "repeatedOption", "name it once"),
        (GradingError.tooManyOptions(question: "q"), "tooManyOptions", "choose one"),
        (GradingError.incompleteOrder(question: "q"), "incompleteOrder", "every option once"),
        (GradingError.wrongKind(question: "q"), "wrongKind", "give options, or a number"),
        (EnteredNumberError.noNumber, "noNumber", "Enter a number"),
        (EnteredNumberError.empty, "emptyNumber", "Enter a number"),
        (EnteredNumberError.long, "longNumber", "at most 30 digits"),
        (EnteredNumberError.groups, "numberGroups", "without thousands"),
        (EnteredNumberError.mixedDigits, "mixedDigits", "in one script"),
        (EnteredNumberError.otherUnit("m"), "otherUnit", "in m"),
        (EnteredNumberError.endless("1/3", example: 0), "endlessFraction", "enter 0"),
        (EnteredNumberError.ambiguous(.point, [2, 2000]), "ambiguousNumber", "enter the one"),
        (PlacementError.unknownItem("q"), "unknownQuestion", "asks next"),
        (PlacementError.answeredBefore("q"), "answeredBefore", "once"),
        (ReviewSchedulerError.retention(2), "retentionOutOfRange", "from 0.5 to 0.99"),
        (ReviewSchedulerError.step(-1), "stepOutOfRange", "at most 30 days"),
        (ReviewSchedulerError.intervalDaysMax(0), "intervalOutOfRange", "from 1 to 36500"),
        (FSRSParametersError.wrongCount(3), "parameterCount", "give that many"),
        (
            FSRSParametersError.outOfBounds(index: 2, value: 9, bounds: 1...2),
            "parameterOutOfBounds", "from 1.0 to 2.0"
        ),
        (AnswerTableError.keyOutOfRange(item: "q"), "brokenKey", "correct it"),
        (AnswerTableError.tooFewResponses(item: "q"), "tooFewResponses", "list all"),
        (AnswerTableError.unknownItem(row: 1), "unknownQuestion", "add the question"),
        (AnswerTableError.unknownResponse(item: "q", row: 1), "unknownOption", "add the response"),
        (AnswerTableError.malformedColumns, "malformedTable", "for each row"),
        (ScoreMatrixError.empty, "tooFewAnswers", "at least one"),
        (ScoreMatrixError.unequalRow(1), "malformedTable", "for each question"),
        (ScoreMatrixError.malformedFrequencies, "malformedFrequencies", "one for each row"),
        (CalibrationError.tooFewPeople(1), "tooFewPeople", "collect more"),
        (CalibrationError.tooFewItems(1), "tooFewQuestions", "add questions"),
        (CalibrationError.constantItem(1), "constantQuestion", "leave it out"),
        (CalibrationError.notIdentified, "notIdentified", "collect more"),
    ]

    /// Codes key the translations of apps: they never change.
    @Test func anErrorHasAStableCodeAndAMessageWithItsRemedy() {
        for (error, code, remedy) in Self.errors {
            #expect(error.code.rawValue == code)
            #expect(error.code == EngineErrorCode(rawValue: code))
            #expect(error.message.contains(remedy), "\(error)")
            #expect(error.message.hasSuffix("."), "\(error)")
            #expect(error.localizedDescription == error.message)
            #expect("\(error)" == error.message && error.cause == nil)
        }
    }

    /// A translation inserts the details where its language wants them.
    @Test func anErrorHasItsDetails() {
        let number = EnteredNumberError.ambiguous(.point, [2, 2000])
        #expect(number.readings == [2, 2000] && number.doubt == .point)
        #expect(number.message.contains("2 or 2000"))
        let option = GradingError.unknownOption("z", question: "q7")
        #expect(option.option == "z" && option.question == "q7")
        #expect(StudySessionError.noSuchItem(7).index == 7)
        #expect(PlacementError.unknownItem("q7").question == "q7")
        #expect(ReviewSchedulerError.intervalDaysMax(9).value == 9)
        let parameter = FSRSParametersError.outOfBounds(index: 2, value: 9, bounds: 1...2)
        #expect(parameter.index == 2 && parameter.value == 9 && parameter.bounds == 1...2)
        let response = AnswerTableError.unknownResponse(item: "q7", row: 3)
        #expect(response.item == "q7" && response.row == 3)
        #expect(ScoreMatrixError.unequalRow(3).row == 3)
        #expect(CalibrationError.tooFewPeople(1).count == 1)
        #expect(CalibrationError.constantItem(4).item == 4)
    }

    @Test func anErrorOfGradingIsTheCauseInASession() {
        let error = GradingError.tooManyOptions(question: "q7")
        let inSession = StudySessionError.grading(error)
        #expect(inSession.code == error.code && inSession.message == error.message)
        #expect(inSession.cause as? GradingError == error && inSession.question == "q7")
        #expect(error.message.contains("q7"))
    }

    /// A code of a later version breaks no `switch`.
    @Test func codesAreOpen() {
        var error = StudySessionError.paused
        error.code = EngineErrorCode(rawValue: "sessionExpired")
        switch error.code {
        case .sessionPaused: Issue.record("another code")
        default: #expect("\(error.code)" == "sessionExpired")
        }
    }
}
