import ContentModel

/// The file of a bank's corrections of wrong keys, beside its questions.
///
/// ```yaml
/// - question: driving-017
///   day: "2026-05-03"
///   was: b
///   is: a
///   versions: ["sha256:0f3c…"]
/// ```
enum CorrectionsFile {
    /// The name in the folder of an exam or a language.
    static let name = "corrections.yaml"

    /// Returns the path of a bank's file, relative to the content folder.
    static func path(of bank: String) -> String {
        (bank.contains("/") ? "exams/" : "languages/") + bank + "/" + name
    }

    /// Returns true for the path of such a file, which no file of questions has.
    static func isOne(_ path: String) -> Bool {
        path.hasSuffix("/" + name) && !path.contains("/media/")
    }
}

extension UnitBuilder {
    /// Adds the corrections of the unit's file to its bank, and checks them.
    ///
    /// - Returns: Errors and warnings.
    /// - Throws: `PublishingError` `unreadable`.
    func addCorrections(to blueprint: inout Blueprint?, _ unit: ContentUnit) throws -> [Problem] {
        let source = unit.sources.first { CorrectionsFile.isOne($0.path) }
        guard let source, var bank = blueprint else { return [] }
        let (node, report) = try document(source)
        guard let node else { return report.problems }
        let known = bank.corrections.count
        bank.addCorrections(node, report: report)
        blueprint = bank
        if !report.hasErrors {
            CorrectionCheck(bank, report: report)
                .run(from: known, at: node.correctionNodes.map(\.position))
        }
        return report.problems
    }
}

extension DocumentNode {
    /// The entries of a file of corrections.
    var correctionNodes: [DocumentNode] {
        if case .array(let nodes) = content { return nodes }
        guard case .array(let nodes)? = member("corrections")?.value.content else { return [] }
        return nodes
    }
}
