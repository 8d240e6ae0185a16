import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// The published inputs again, each with one change of which the outcome is known.
@Suite struct ImportMetamorphicTests {
    /// A question without its key.
    private struct Body: Hashable {
        var stem: String
        var code: String
        var options: [String]
    }

    /// The keys by question; those of questions that stand twice are left out.
    private func keys(_ result: ImportResult) -> [Body: Set<String>] {
        let entries = result.questions.map { question in
            (
                Body(
                    stem: question.stem, code: question.code?.text ?? "",
                    options: question.options.map(\.text)),
                Set(question.correct.map { question.options[$0].text })
                    .union([question.correctNumber?.text].compactMap(\.self))
            )
        }
        return Dictionary(grouping: entries, by: \.0).compactMapValues {
            $0.count == 1 ? $0[0].1 : nil
        }
    }

    /// A question whose text and options stay has its key, a part of it where a mark went with the line, or is refused.
    ///
    /// In XML a line may hold a whole rule of a score, without which another option has the most points.
    @Test func aLineLessGivesNoOtherKey() throws {
        let seed = TestRun.seed(of: "ImportMetamorphicTests")
        var random = SeededGenerator(seed: seed)
        var count = 0
        for (vector, bytes) in try ImportVectorTests.texts() {
            guard let read = try? vector.result(of: bytes),
                ![.qti, .moodleXML].contains(read.format)
            else { continue }
            let before = keys(read)
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            let removed = lines.indices.shuffled(using: &random).prefix(120)
            for line in removed {
                var left = lines
                left.remove(at: line)
                guard let after = try? vector.result(of: Array(left.joined(separator: [0x0A])))
                else { continue }
                for (body, key) in keys(after) {
                    guard let known = before[body] else { continue }
                    count += 1
                    #expect(
                        key.isSubset(of: known),
                        "\(vector.file) without line \(line + 1): \(String(decoding: lines[line], as: UTF8.self).prefix(80)), of \(body.stem.prefix(60))"
                    )
                }
            }
        }
        #expect(count > 1_000)
    }

    /// Line ends, a mark of the encoding and the encoding itself are no part of what an author wrote.
    @Test(arguments: ["CRLF", "BOM", "UTF-16"])
    func anotherCodingGivesTheSameQuestions(coding: String) throws {
        var count = 0
        for (vector, bytes) in try ImportVectorTests.texts() {
            guard vector.options?.contains("--encoding") != true,
                let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix("\u{FEFF}"),
                !text.contains("\r"), let read = try? vector.result(of: bytes)
            else { continue }
            let coded: [UInt8] =
                switch coding {
                case "CRLF": Array(text.replacing("\n", with: "\r\n").utf8)
                case "BOM": [0xEF, 0xBB, 0xBF] + bytes
                default: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
                }
            let again = try vector.result(of: coded)
            #expect(again.questions == read.questions, "\(vector.file)")
            #expect(again.skipped.count == read.skipped.count, "\(vector.file)")
            count += 1
        }
        #expect(count > 50)
    }
}
