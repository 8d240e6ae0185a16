import Foundation
import Publishing
import QuestionEngine
import Testing

@testable import Importing

/// Mistakes in files of answers and reports: none is passed over.
@Suite struct ResponseCSVTests {
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
            "answers.csv:3: mode is \"quiz\", not one of study, repeat, exam, placement."
        ),
        (",random", "p,q,a,a,perhaps", "answers.csv:3: random is \"perhaps\", not true or false."),
        (",key", "p,q,a,a,a", "answers.csv has two columns key."),
        (
            ",type", "p,q,a,a b,single-choice",
            "answers.csv:3: a question with one right option has the key \"a b\"."
        ),
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

    private func read(_ text: String, note: (String) -> Void = { _ in }) throws -> CountedAnswers {
        try AnswersFile.read(Array(text.utf8), file: "a.csv", bank: [], note: note)
    }

    @Test func anotherVersionHasOptionsAndAKeyOfItsOwn() throws {
        let found = try read(
            """
            person,question,answer,key,version,exposures
            p1,q,a,a,2,0
            p2,q,b,a,2,0
            p3,q,x,y,1,0
            p4,q,y,y,1,3
            p5,q,y,y,1,3
            """)
        #expect(found.table.items.map(\.responses) == [["a", "b"]])
        #expect(found.table.items.map(\.contentVersion) == ["2"])
        #expect(found.otherVersionCount == 1 && found.repeatCount == 2)
    }

    @Test func everyRowIsAccountedFor() throws {
        let found = try read(
            """
            person,question,answer,key,exposures,mode
            p1,q,a,a,0,exam
            p1,q,b,a,0,exam
            p2,q,,a,0,exam
            p3,q,b,a,2,study
            p4,q,b,a,0,study
            """)
        let report = AnswerReport(found)
        #expect(report.answerCount == 2 && report.laterCount == 1 && report.skippedCount == 1)
        #expect(report.modes == ["exam": 2, "study": 1])
        #expect(report.summary.contains("1 left out: not answered; 1 left out: answered in an"))
        #expect(report.summary.contains("2 in exam mode, 1 in study mode"))
    }

    @Test func columnsThatAreNotReadAreNamed() throws {
        var notes: [String] = []
        let text =
            "Person,Question ID,Answer,Key,Exposures before,attempt\np,q,a,a,1,2\np,r,a,a,0,2\n"
        let found = try read(text) { notes.append($0) }
        #expect(found.repeatCount == 1)
        #expect(notes == ["a.csv has columns that are not read: \"attempt\"."])
    }

    @Test func whatIsTakenForGrantedIsSaid() throws {
        var notes: [String] = []
        _ = try read("person,question,answer,key,version\np,q,a,a,1\nr,q,a,a,\n") {
            notes.append($0)
        }
        #expect(
            notes == [
                "a.csv has no column exposures: a person's first row of a question counts as the first sight.",
                "a.csv names no version in 1 rows: they count as the present one.",
            ])
    }

    @Test func oneModeIsAnalysedAlone() throws {
        let text = "person,question,answer,key,mode\np,q,a,a,study\np,q,b,a,exam\nr,q,b,a,\n"
        let found = try AnswersFile.read(Array(text.utf8), file: "a.csv", bank: [], mode: .exam)
        let report = AnswerReport(found)
        #expect(report.answerCount == 1 && report.otherModeCount == 2 && report.laterCount == 0)
        #expect(report.items.map(\.facility) == [0])
    }

    @Test func manyReportsAreNoObstacle() throws {
        let rows = (0..<30).map { "p\($0),q,\($0 % 2 == 0 ? "a" : "b"),a" }
        let found = try read("person,question,answer,key\n" + rows.joined(separator: "\n"))
        for count in [0, 1, 646, 647, 1_000_000, Int.max] {
            let item = try #require(AnswerReport(found, reports: ["q": count]).items.first)
            let probability = try #require(item.wrongKeyProbability)
            #expect((0...1).contains(probability), "\(count): \(probability)")
        }
    }
}
