import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// Imports text, and checks that the ledger adds up.
func imported(
    _ text: String, _ format: ImportFormat, file: String = "bank", domain: String? = nil,
    mapping: [String: String] = [:]
) throws -> ImportResult {
    try imported(Array(text.utf8), format, file: file, domain: domain, mapping: mapping)
}

func imported(
    _ bytes: [UInt8], _ format: ImportFormat?, file: String = "bank", domain: String? = nil,
    mapping: [String: String] = [:], settings: ImportSettings? = nil
) throws -> ImportResult {
    var importer = QuestionImporter(
        settings: settings ?? ImportSettings(domain: domain, mapping: mapping))
    let result = try importer.read(bytes, file: file, format: format)
    #expect(result.foundCount == result.importedCount + result.skipped.count)
    #expect(Set(result.questions.map(\.id)).count == result.questions.count)
    return result
}

/// The sample's questions of all placement tests and exams.
func sampleQuestions() throws -> [Question] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sample/content").standardizedFileURL
    let content = try #require(FileManager.default.enumerator(atPath: root.path))
    var questions: [Question] = []
    var ids: Set<String> = []
    for case let path as String in content {
        guard path.hasSuffix("/blueprint.json") || path.contains("questions") else { continue }
        let bytes = try [UInt8](Data(contentsOf: root.appending(path: path)))
        let result = try imported(bytes, path.hasSuffix("json") ? .json : .yaml, file: path)
        #expect(result.skipped.allSatisfy { $0.reason.contains("not in the file") }, "\(path)")
        // Ids are unique in a blueprint only.
        for var question in result.questions where question.mediaNames.isEmpty {
            if !ids.insert(question.id).inserted {
                question.id += "-" + (path.split(separator: "/").dropFirst().first ?? "")
                guard ids.insert(question.id).inserted else { continue }
            }
            questions.append(question)
        }
    }
    return questions
}

/// Expects that four times as much takes at most nine times the processor's time: work that grows with the square takes
/// sixteen times as much.
///
/// Each is the least of three measurements of this thread alone, so that other work on the machine decides nothing.
func expectLinearTime(_ size: Int, _ work: (Int) throws -> Void) rethrows {
    let small = try ProcessorTime.seconds(runs: 3) { try work(size) }
    let large = try ProcessorTime.seconds(runs: 3) { try work(4 * size) }
    #expect(large < max(9 * small, 0.02), "\(small) s became \(large) s")
}
