import ContentModel
import Publishing

/// The proof that a format can say a question: what was written of it is read again, and must be
/// the same question.
enum ExportTrial {
    /// Tries whether a format can say a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - format: The name of the format, for the reason.
    ///   - text: What was written of the question.
    ///   - read: The reader of the format.
    /// - Returns: The reason why it cannot; `nil` if it can.
    static func problem(
        _ question: Question, _ format: String, _ text: String,
        read: ([UInt8]) throws(ImportError) -> ImportedDrafts
    ) -> String? {
        let drafts: ImportedDrafts
        do throws(ImportError) {
            drafts = try read(Array(text.utf8))
        } catch {
            return "\(format) cannot say it: it \(error.reason)"
        }
        return problem(question, format, drafts)
    }

    /// Compares a question with what was read of it.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - format: The name of the format, for the reason.
    ///   - drafts: What its reader gave.
    /// - Returns: The reason why the format cannot say it; `nil` if it can.
    static func problem(
        _ question: Question, _ format: String, _ drafts: ImportedDrafts
    ) -> String? {
        let written = question.withoutEmptyTexts
        guard let returned = reread(drafts, question.mediaNames) else {
            let reason = drafts.skipped.first.map { ": \($0.reason)" } ?? ""
            return "\(format) cannot say it\(reason)"
        }
        guard returned != written else { return nil }
        let fields = returned.changes(from: written).map(\.name).joined(separator: ", ")
        return "\(format) cannot say its \(fields) exactly" + (written.hint ?? "")
    }

    private static func reread(
        _ drafts: ImportedDrafts, _ mediaNames: [String]
    ) -> Question? {
        var drafts = drafts
        for name in mediaNames { drafts.media[name] = [] }
        var finisher = DraftFinisher(
            known: KnownQuestions(bank: []), domain: nil, declared: nil, updatesBank: false)
        let result = finisher.finish(drafts, file: "", format: .gift)
        return result.questions.count == 1 ? result.questions.first : nil
    }
}

extension Question {
    /// The question with missing texts in place of empty ones, which nobody can tell apart.
    fileprivate var withoutEmptyTexts: Question {
        var question = self
        if explanation == "" { question.explanation = nil }
        for index in options.indices where options[index].feedback == "" {
            question.options[index].feedback = nil
        }
        return question
    }

    /// The likely cause in the texts.
    fileprivate var hint: String? {
        let texts =
            [stem, explanation, code?.text].compactMap(\.self) + tags
            + options.flatMap { [$0.text, $0.feedback].compactMap(\.self) }
        if texts.contains(where: { $0.utf8.contains(UInt8(ascii: "\r")) }) {
            return "; a text has carriage returns, in place of line feeds alone"
        }
        if texts.contains(where: { $0 != $0.trimmed }) {
            return "; a text begins or ends with white space"
        }
        return nil
    }
}
