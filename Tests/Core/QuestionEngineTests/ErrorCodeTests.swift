import ContentModel
import Foundation
import QuestionEngine
import Testing

/// Errors of the engine as an app shows them.
@Suite struct ErrorCodeTests {
    @Test func anErrorHasACodeAndAMessage() {
        let errors: [(any LocalizedError & CustomStringConvertible, EngineErrorCode, String)] = [
            (StudySessionError.paused, StudySessionError.paused.code, "sessionPaused"),
            (
                GradingError.unknownOption("z", question: "q"),
                GradingError.unknownOption("z", question: "q").code, "unknownOption"
            ),
            (EnteredNumberError.noNumber, EnteredNumberError.noNumber.code, "noNumber"),
            (
                PlacementError.unknownItem("q"), PlacementError.unknownItem("q").code,
                "unknownQuestion"
            ),
            (
                ReviewSchedulerError.retention(2), ReviewSchedulerError.retention(2).code,
                "retentionOutOfRange"
            ),
            (
                FSRSParametersError.wrongCount(3), FSRSParametersError.wrongCount(3).code,
                "parameterCount"
            ),
            (
                AnswerTableError.malformedColumns, AnswerTableError.malformedColumns.code,
                "malformedTable"
            ),
            (ScoreMatrixError.empty, ScoreMatrixError.empty.code, "tooFewAnswers"),
            (
                CalibrationError.notIdentified, CalibrationError.notIdentified.code,
                "notIdentified"
            ),
        ]
        for (error, code, name) in errors {
            #expect(code.rawValue == name && code == EngineErrorCode(rawValue: name))
            #expect(error.localizedDescription == error.description)
            #expect(error.description.hasSuffix("."), "\(error)")
        }
    }

    @Test func anErrorOfGradingKeepsItsCodeInASession() {
        let error = GradingError.tooManyOptions(question: "q7")
        let inSession = StudySessionError.grading(error)
        #expect(inSession.code == error.code && inSession.description == error.description)
        #expect(error.description.contains("q7"))
    }

    @Test func theMessageNamesBothReadingsOfAComma() {
        let error = EnteredNumberError.ambiguous(decimal: 2, whole: 2000)
        #expect(error.errorDescription?.contains("2 or 2000") == true)
        #expect(error.code == .ambiguousNumber)
    }

    @Test func contentErrorsSpeakToPeopleToo() {
        let error = ManifestError.unsupportedSchema(9)
        #expect(error.localizedDescription == error.description)
        let problem = Problem(.syntax, file: "a.json", message: "no JSON")
        let content = ContentError(problems: [problem, problem])
        #expect(content.localizedDescription.hasSuffix("(and 1 more)"))
    }
}
