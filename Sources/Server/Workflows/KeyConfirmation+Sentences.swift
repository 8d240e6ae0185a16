import ContentModel
import Publishing
import Review

extension KeyCorrection {
    /// Returns a sentence about the state after the correction.
    func sentence(from wrong: String) -> String {
        let file =
            isDone
            ? "\(file) has this key already."
            : "\(file): the key of \(question.id) is \(question.named(question.keyLabel)) now, it was \(question.named(wrong))."
        return ([file] + [note?.sentence].compactMap(\.self)).joined(separator: "\n")
    }
}

extension Question {
    /// Returns a key as the file and people name it, as `"b" (Double)`.
    func named(_ label: String) -> String {
        let text = options.first { $0.id == label }?.text ?? ""
        return "\"\(label)\"" + (text.isEmpty || text.count > 60 ? "" : " (\(text))")
    }
}

extension Proposal {
    /// The strength of the evidence, in natural numbers.
    package var evidenceSentence: String {
        func count(_ number: Int, _ noun: String) -> String {
            "\(number) \(noun)\(number == 1 ? "" : "s")"
        }
        var parts = [count(evidence.respondents, "first answer")]
        if let probability = evidence.probability {
            let wrong = min(max(Int((probability * 100).rounded()), 1), 99)
            parts.append("of 100 such keys about \(wrong) are wrong")
        }
        if evidence.reports > 0 { parts.append(count(evidence.reports, "report")) }
        return parts.joined(separator: ", ") + "."
    }

    var commitMessage: String {
        "Correct the key of \(question) in \(bank)\n\n\(evidenceSentence) Proposal \(number)."
    }
}
