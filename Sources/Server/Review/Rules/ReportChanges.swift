import UserData

/// The changes of a learner's stored reports, one for each question.
struct ReportChanges {
    /// Those that were taken back.
    let gone: [QuestionReport]
    /// Those that are new or other ones.
    let written: [QuestionReport]

    /// Compares reports; of several about one question the first counts.
    init(from known: [QuestionReport], to reports: [QuestionReport]) {
        func places(_ reports: [QuestionReport]) -> [[String]: QuestionReport] {
            Dictionary(
                reports.map { ([$0.bank, $0.question], $0) },
                uniquingKeysWith: { first, _ in first })
        }
        let (before, after) = (places(known), places(reports))
        gone = before.filter { after[$0.key] == nil }.map(\.value)
        written = after.filter { before[$0.key] != $0.value }.map(\.value)
    }
}
