import Foundation
import Publishing
import QuestionEngine
import Testing

@testable import Importing

/// Mistakes in files of answers and reports: none is passed over.
@Suite struct AnswersTableTests {
    private static let columns = "person,question,answer,key"

    private func message(_ bytes: [UInt8]) -> String? {
        do {
            _ = try AnswersFile.read(bytes, file: "answers.csv", bank: [])
            return nil
        } catch {
            return (error as? PublishingError)?.message
        }
    }

    @Test(arguments: [
        ("", ",q,a,a", "answers.csv:3: the row names no person."),
        ("", "p,,a,a", "answers.csv:3: the row names no question."),
        ("", "p,q,a,", "answers.csv:3: the row names no key."),
        ("", "p,q,a", "answers.csv:3: the row has 3 fields, the header 4."),
        ("", "p,q,a,a,b", "answers.csv:3: the row has 5 fields, the header 4."),
        ("", "p,q,a,b", "answers.csv:3: the question \"q\" had another key before."),
        ("", "p,\"q,a,a", "answers.csv:3: a quote never ends."),
        (
            ",exposures", "p,q,a,a,-1",
            "answers.csv:3: exposures is \"-1\", not a whole number from 0."
        ),
        (
            ",exposures", "p,q,a,a,nan",
            "answers.csv:3: exposures is \"nan\", not a whole number from 0."
        ),
        (",exposures", "p,q,a,a,", "answers.csv:3: exposures is empty; 0 for a first sight."),
        (
            ",mode", "p,q,a,a,quiz",
            "answers.csv:3: mode is \"quiz\", not one of study, exam, placement."
        ),
        (",random", "p,q,a,a,perhaps", "answers.csv:3: random is \"perhaps\", not true or false."),
        (",key", "p,q,a,a,a", "answers.csv has two columns key."),
    ])
    func aMistakeIsNamedWithItsLine(header: String, row: String, expected: String) {
        let first = "p0,q,a,a" + (header == ",exposures" ? ",0" : header.isEmpty ? "" : ",")
        let text = [Self.columns + header, first, row].joined(separator: "\n")
        #expect(message(Array(text.utf8)) == expected)
    }

    @Test func aMissingKeyNamesTheOption() {
        let text = "person,question,answer\np,q,a\n"
        #expect(message(Array(text.utf8))?.contains("--exam content/exams") == true)
    }

    @Test func otherEncodingsAreReadOrRefused() throws {
        let text = Self.columns + "\np,é,a,a\np2,è,a,a\n"
        for encoding in [String.Encoding.utf16LittleEndian, .windowsCP1252] {
            let mark: [UInt8] = encoding == .windowsCP1252 ? [] : [0xFF, 0xFE]
            let bytes = mark + Array(try #require(text.data(using: encoding)))
            let found = try AnswersFile.read(bytes, file: "answers.csv", bank: [])
            #expect(found.table.items.map(\.id) == ["é", "è"])
        }
        #expect(message(Array(text.utf8) + [0x81])?.hasPrefix("answers.csv has a byte") == true)
    }

    @Test func emptyFieldsAfterTheLastColumnAreNothing() throws {
        let text = Self.columns + "\np,q,a,a,,\n\np2,q,a,a\n"
        #expect(try AnswersFile.read(Array(text.utf8), file: "a.csv", bank: []).rowCount == 2)
    }

    @Test func reportsAreReadByTheirColumns() throws {
        let text = "count;question\n2;a\n3;a\n0;b\n"
        let counts = try AnswersFile.readReports(Array(text.utf8), file: "reports.csv")
        #expect(counts == ["a": 5, "b": 0])
    }

    @Test(arguments: [
        ("a,3\nb,2", "reports.csv needs the columns question and count."),
        (
            "question,count\na,-1",
            "reports.csv:2: count is \"-1\", not a whole number from 0 to 1000000."
        ),
        ("question,count\na,", "reports.csv:2: the row needs a question and a count."),
        ("question,count\na", "reports.csv:2: the row has 1 fields, the header 2."),
    ])
    func aMistakeInReportsIsNamed(text: String, expected: String) {
        #expect {
            try AnswersFile.readReports(Array(text.utf8), file: "reports.csv")
        } throws: { error in
            (error as? PublishingError)?.message == expected
        }
    }
}
