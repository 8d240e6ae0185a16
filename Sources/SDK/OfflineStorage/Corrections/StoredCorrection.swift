import ContentModel
import Foundation
import QuestionEngine

/// The stored correction of one version of a question, with all values needed for grading a response but no text of the
/// question, so that later answers are graded without the content.
struct StoredCorrection: Hashable {
    /// A version of a question.
    struct Place: Hashable {
        var question: String
        var version: String
    }

    var place: Place
    /// The key that was wrong.
    var wrongKey: String
    /// The key by which answers are graded, see `Question.keyLabel`.
    var rightKey: String
    /// The day of the correction, if recorded.
    var day: String?
    var type: QuestionType
    /// The ids of the options in the author's order.
    var options: [String]

    /// The question as needed for grading; `nil` for a key that this version cannot read.
    fileprivate var question: Question? {
        let options = options.map { QuestionOption(id: $0, text: "") }
        guard type == .numericEntry else {
            return Question(
                id: place.question, type: type, difficulty: 1, stem: "", options: options,
                correct: [])
        }
        guard let number = NumericKey(notation: rightKey) else { return nil }
        return Question(
            id: place.question, type: type, difficulty: 1, stem: "", key: .number(number))
    }

    /// Returns the stored form of a bank's corrections, by the version that each concerns.
    static func all(of corrections: GradeCorrections) -> [Place: StoredCorrection] {
        var all: [Place: StoredCorrection] = [:]
        for (question, version) in corrections.versions {
            guard let right = corrections.question(question, version: version),
                let correction = corrections.correction(of: question, version: version)
            else { continue }
            let place = Place(question: question, version: version)
            all[place] = StoredCorrection(
                place: place, wrongKey: correction.was, rightKey: right.keyLabel,
                day: correction.day, type: right.type, options: right.options.map(\.id))
        }
        return all
    }
}

extension GradeCorrections {
    /// Restores the corrections of a bank from a store.
    init(_ stored: some Collection<StoredCorrection>) {
        var questions: [String: Question] = [:]
        for correction in stored { questions[correction.place.question] = correction.question }
        let bank = Blueprint(
            kind: .exam, id: "", title: "", version: "", questions: Array(questions.values),
            corrections: stored.map { correction in
                GradeCorrection(
                    question: correction.place.question, versions: [correction.place.version],
                    was: correction.wrongKey, is: correction.rightKey, day: correction.day)
            })
        self.init(bank)
    }

    /// Returns the corrected grade of a stored answer, for schedules and counts.
    ///
    /// - Parameters:
    ///   - question: The question's id.
    ///   - version: The version that was shown.
    ///   - texts: The response.
    ///   - grade: The grade that was stored.
    /// - Returns: `nil` if it does not change.
    func grade(
        of question: String, version: String, _ texts: [String], _ grade: CountedGrade
    ) -> CountedGrade? {
        guard self.question(question, version: version) != nil else { return nil }
        let record = AnswerRecord(
            sessionID: "", questionID: question, contentVersion: version,
            response: QuestionResponse(texts: texts), isCorrect: grade.isCorrect,
            credit: grade.isCorrect ? 1 : 0, rating: Rating(rawValue: grade.rating), timeTaken: 0,
            exposuresBefore: 0, mode: .study, isRandomlySelected: false, date: .distantPast)
        return regraded(record).map {
            CountedGrade(isCorrect: $0.isCorrect, rating: $0.rating?.rawValue ?? 0)
        }
    }
}

/// The values of an answer from which schedules and counts are computed.
struct CountedGrade: Hashable {
    var isCorrect: Bool
    /// The recall rating from 1 to 4; 0 for none.
    var rating: Int
}
