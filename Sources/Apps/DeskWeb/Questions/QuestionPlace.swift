import HTTPTypes
import Publishing

/// A question that a request names, with its bank.
struct QuestionPlace: Sendable {
    var bank: IndexedBank
    var question: BankQuestion

    /// Finds the question of an address.
    ///
    /// - Throws: `DeskProblem` 404 when the content folder has none, `PublishingError`.
    init(_ page: DeskRequest) async throws {
        let (name, id) = (IndexedBank.name(ofPath: try page.part("bank")), try page.part("id"))
        guard let bank = try await page.app.content.snapshot().bank(name),
            let question = bank.question(id)
        else {
            throw DeskProblem(
                status: .notFound, text: "The content folder has no question \(id) in \(name).")
        }
        (self.bank, self.question) = (bank, question)
    }

    var name: QuestionName { QuestionName(bank: bank.name, id: question.id) }
    /// The address of the question's page.
    var path: String { QuestionEditView.path(bank.name, question.id) }
    /// The form as the file has the question.
    var shown: QuestionForm { QuestionForm(question.value) }

    /// The question's lines in its file; to the end of the file for the last one.
    var lines: (first: Int, last: Int?) {
        let next = bank.content.questions.lazy.filter { other in
            other.file == question.file && other.line > question.line
        }.map(\.line).min()
        return (question.line, next.map { max($0 - 1, question.line) })
    }
}
