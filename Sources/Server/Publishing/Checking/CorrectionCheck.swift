import ContentModel

/// A check of a bank's corrections against its questions: what a correction says must be what the bank says now.
///
/// All of it are warnings. A correction is appended once and stays, while questions change and go.
struct CorrectionCheck {
    private let bank: Blueprint
    private let report: DecodingReport
    private let questions: [String: Question]

    init(_ bank: Blueprint, report: DecodingReport) {
        self.bank = bank
        self.report = report
        questions = Dictionary(
            bank.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Checks the corrections from an index on, each with its position in the file.
    func run(from first: Int, at positions: [SourcePosition]) {
        var later: Set<Version> = []
        // From the last to the first: of two for one version the later counts.
        for index in bank.corrections.indices.reversed() {
            let correction = bank.corrections[index]
            let versions = correction.versions.map { Version(correction.question, $0) }
            defer { later.formUnion(versions) }
            guard index >= first, positions.indices.contains(index - first) else { continue }
            if let message = message(correction, isReplaced: later.isSuperset(of: versions)) {
                report.note(.staleCorrection, at: positions[index - first], message)
            }
        }
    }

    private struct Version: Hashable {
        var question: String
        var version: String

        init(_ question: String, _ version: String) {
            self.question = question
            self.version = version
        }
    }

    private func message(_ correction: GradeCorrection, isReplaced: Bool) -> String? {
        let id = correction.question
        if isReplaced {
            let isTwice = bank.corrections.count { $0.saysTheSame(as: correction) } > 1
            return isTwice ? "the same correction of \"\(id)\" stands here twice" : nil
        }
        guard let question = questions[id] else {
            return "the bank has no question \"\(id)\", so no answer is graded again"
        }
        guard !question.hasKey(correction.was) else {
            return "the key of \"\(id)\" is \"\(correction.was)\" again,"
                + " which this correction calls wrong, so no answer is graded again"
        }
        guard question.withKey(correction.is) != nil else {
            return "the question \"\(id)\" cannot have the key \"\(correction.is)\","
                + " so no answer is graded again"
        }
        guard question.hasKey(correction.is) else {
            return "the correction is older than the key: answers to \"\(id)\" are graded by"
                + " \"\(correction.is)\", and its key is \"\(question.keyLabel)\" by now"
        }
        guard !correction.versions.contains(question.contentVersion) else {
            return
                "the present version of \"\(id)\", which has the right key, is named as a wrong one"
        }
        return nil
    }
}

extension GradeCorrection {
    fileprivate func saysTheSame(as other: GradeCorrection) -> Bool {
        question == other.question && self.is == other.is && Set(versions) == Set(other.versions)
    }
}
