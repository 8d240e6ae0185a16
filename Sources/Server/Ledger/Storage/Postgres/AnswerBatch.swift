import Crypto
package import Foundation
package import ServiceAPI
import Tables
import UserData

/// A run of answers as the arrays of `ledger_append_1`: its names, a row for each answer, and their sums.
package struct AnswerBatch {
    /// A text that rows or other names refer to.
    package enum Name: Hashable, Sendable {
        case question(bank: String, id: String)
        /// A version of a question, as it was asked; `of` is the index of the question among the names.
        case version(of: Int32, bank: String, id: String, domain: String?, version: String)
        case options(String)
    }

    private(set) var names = EncodedAnswers.Distinct<Name>()
    private(set) var sessions = EncodedAnswers.Distinct<EncodedAnswers.Session>()
    private(set) var rows: [Row?] = []
    private(set) var sums = AnswerSums()

    /// An answer whose names are places in the lists, from 1.
    struct Row {
        var question: Int32
        var session: Int32
        var response: Response
        var row: EncodedAnswers.Row
    }

    /// A response in a row.
    enum Response {
        /// The index of the options.
        case options(Int32)
        /// The response itself, which is seldom repeated; not a choice of options.
        case text(String)
    }

    /// Collects the parts of a run.
    ///
    /// Cost: O(answers), with a look-up of texts for each distinct one.
    /// - Parameters:
    ///   - answers: The answers of the run.
    ///   - counted: The same rows with `nil` for those that sums do not count; by default all but retractions count.
    package init(_ answers: EncodedAnswers, counting counted: EncodedAnswers? = nil) {
        let counted = (counted ?? answers).withoutRetractions.rows
        let count = answers.questions.count
        var questions = [(question: Int32, version: Int32)?](repeating: nil, count: count)
        var responses = [Response?](repeating: nil, count: answers.responses.count)
        rows.reserveCapacity(answers.rows.count)
        for (index, row) in answers.rows.enumerated() {
            guard let row else {
                rows.append(nil)
                continue
            }
            let asked = answers.questions[Int(row.question)]
            let place = questions[Int(row.question)] ?? places(of: asked)
            questions[Int(row.question)] = place
            let response =
                responses[Int(row.response)] ?? stored(answers.responses[Int(row.response)])
            responses[Int(row.response)] = response
            let session = sessions.index(of: answers.sessions[Int(row.session)]) + 1
            rows.append(
                Row(question: place.version, session: session, response: response, row: row))
            if counted[index] != nil { sums.add(row, of: place.question, asked) }
        }
    }

    private mutating func places(
        of asked: EncodedAnswers.Question
    ) -> (question: Int32, version: Int32) {
        let question = names.index(of: .question(bank: asked.bank, id: asked.question)) + 1
        let version = names.index(
            of: .version(
                of: question, bank: asked.bank, id: asked.question, domain: asked.domain,
                version: asked.version))
        return (question, version + 1)
    }

    private mutating func stored(_ response: [String]) -> Response {
        let text = StoredTexts.text(response)
        return response.first?.hasPrefix("#") == true
            ? .text(text) : .options(names.index(of: .options(text)) + 1)
    }
}

extension AnswerBatch.Row {
    /// The place of the options; `nil` for another response.
    var options: Int32? { if case .options(let place) = response { place } else { nil } }

    /// A response that is no choice of options.
    var text: String? { if case .text(let text) = response { text } else { nil } }
}

extension AnswerBatch.Name {
    var kind: String {
        switch self {
        case .question: "question"
        case .version: "version"
        case .options: "options"
        }
    }

    var text: String {
        switch self {
        case .question(_, let id): id
        case .version(_, _, _, _, let version): version
        case .options(let text): text
        }
    }

    var bank: String? { if case .question(let bank, _) = self { bank } else { nil } }

    var domain: String? { if case .version(_, _, _, let domain, _) = self { domain } else { nil } }

    var question: Int32? { if case .version(let place, _, _, _, _) = self { place } else { nil } }

    /// The identity of the name within an account, of fixed length; texts contain no NUL.
    package var digest: UUID {
        let parts: [String] =
            switch self {
            case .question(let bank, let id): [bank, id]
            case .version(_, let bank, let id, let domain, let version):
                [bank, id, version] + (domain.map { [$0] } ?? [])
            case .options(let text): [text]
            }
        let text = ([kind] + parts).joined(separator: "\0")
        return UUID(SHA256.hash(data: Data(text.utf8)).prefix(16))
    }
}
