import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Importing

/// Workbooks that are written here, part by part, as the programs of authors write them.
@Suite struct WorkbookTests {
    private let header = ["Question", "Option A", "Option B", "Option C", "Answer"]

    private func read(
        _ workbook: SampleWorkbook, settings: ImportSettings = ImportSettings()
    ) throws -> ImportResult {
        try imported(workbook.bytes(), nil, file: "bank.xlsx", settings: settings)
    }

    private func refusal(_ workbook: SampleWorkbook) throws -> String {
        let bytes = try workbook.bytes()
        let error = #expect(throws: ImportError.self) {
            try imported(bytes, nil, file: "bank.xlsx")
        }
        return error?.reason ?? ""
    }

    @Test func eachSheetHasItsHeaderAndItsNameAsATag() throws {
        var book = SampleWorkbook()
        book.add("Metals", [header, ["A metal?", "Oxygen", "Iron", "Neon", "B"]])
        book.add(
            "Gases",
            [
                ["For the second term"], ["Answer", "A", "B", "Question"],
                ["b", "Iron", "Neon", "A gas?"],
            ])
        book.add("Notes", [["Made by the chemistry group"]])
        let result = try read(book)
        #expect(result.format == .xlsx && result.foundCount == 2)
        #expect(result.questions.map(\.keyTexts) == [["Iron"], ["Neon"]])
        #expect(result.questions.map(\.tags) == [["Metals"], ["Gases"]])
        #expect(result.notes.contains { $0.message.contains("\"Notes\" has 1 row") })
        #expect(result.notes.contains { $0.message.contains("\"Metals\" (1), \"Gases\" (1)") })
    }

    @Test func numbersAreReadAsTheyAreShown() throws {
        var book = SampleWorkbook()
        book.formats = ["General", "0.00", "0%", "#,##0.0", "yyyy\\-mm\\-dd", "0.00\\ \"kg\""]
        book.add(
            "Sheet1",
            [
                header,
                ["What is 1 + 0.1?", ("1.1000000000000001", 1), ("1.005", 1), ("11", 0), "A"],
                ["Half?", ("0.5", 2), ("0.055", 2), ("5", 2), "A"],
                ["Largest?", ("1234567.25", 3), ("0.30000000000000004", 0), ("2.5", 5), "A"],
                ["Which score won?", ("46055", 4), ("46055.75", 4), ("-0.4", 0), "B"],
            ])
        let result = try read(book)
        #expect(
            result.questions.map { $0.options.map(\.text) } == [
                ["1.10", "1.01", "11"], ["50%", "6%", "500%"], ["1,234,567.3", "0.3", "2.5"],
                ["2026-02-02", "2026-02-02T18:00:00", "-0.4"],
            ])
        #expect(
            result.notes.contains { $0.message.contains("2 cells") && $0.message.contains("B5") })
        #expect(result.questions.allSatisfy { $0.tags.isEmpty })
    }

    @Test(arguments: [
        ("0", "0"), ("1E-05", "0.00001"), ("123456789012345680", "123456789012346000"),
        ("1e300", nil), ("-2.50", "-2.5"), ("9.999999999999999", "10"),
    ])
    func theShortestFormHasFifteenDigits(stored: String, shown: String?) {
        #expect(ShownNumber(stored)?.shortest == shown)
    }

    @Test func roundingCarries() throws {
        let number = try #require(ShownNumber("999.995"))
        #expect(number.shown(places: 2) == "1000.00" && number.shown(places: 0) == "1000")
        #expect(ShownNumber("0.004")?.shown(places: 2) == "0.00")
        #expect(ShownNumber("-0.004")?.shown(places: 2) == "0.00")
        #expect(ShownNumber("0.5")?.shown(places: 0) == "1")
        #expect(ShownNumber("12")?.shown(places: 0, percent: true) == "1200%")
    }

    @Test func cellsOfEveryKindAreRead() throws {
        var book = SampleWorkbook()
        book.shared = [
            "<r><t>A me</t></r><r><t xml:space=\"preserve\">tal ?</t></r><rPh><t>x</t></rPh>",
            "<t>Iron_x0041_</t>",
        ]
        book.addRaw(
            "S",
            [
                header.map { SampleWorkbook.inline($0) },
                [
                    "<c r=\"A2\" t=\"s\"><v>0</v></c>", "<c r=\"B2\" t=\"s\"><v>1</v></c>",
                    "<c r=\"C2\" t=\"b\"><v>1</v></c>",
                    "<c r=\"D2\" t=\"str\"><f>1&amp;2</f><v>12</v></c>",
                    "<c r=\"E2\" t=\"inlineStr\"><is><t>A</t></is></c>",
                ],
                [
                    SampleWorkbook.inline("Error?"), SampleWorkbook.inline("a"),
                    "<c r=\"C3\" t=\"e\"><v>#REF!</v></c>", "", SampleWorkbook.inline("A"),
                ],
                [
                    SampleWorkbook.inline("Formula?"), SampleWorkbook.inline("a"),
                    "<c r=\"C4\"><f>A1</f></c>", "", SampleWorkbook.inline("A"),
                ],
                ["<c r=\"A5\" t=\"s\"><v>9</v></c>", SampleWorkbook.inline("a")],
            ])
        let result = try read(book)
        #expect(result.questions.map(\.stem) == ["A metal ?"])
        #expect(result.questions.first?.options.map(\.text) == ["IronA", "TRUE", "12"])
        #expect(result.skipped.map(\.place) == ["row 3", "row 4", "row 5"])
        #expect(result.skipped[0].reason.contains("C3 shows the error #REF!"))
        #expect(result.skipped[1].reason.contains("save it"))
    }

    @Test func aMergedPassageIsThatOfEachRow() throws {
        var book = SampleWorkbook()
        book.add(
            "S",
            [
                ["Passage"] + header, ["Iron rusts.", "What rusts?", "Gold", "Iron", "Zinc", "B"],
                [nil, "Where?", "In air", "Nowhere", nil, "A"],
            ], after: "<mergeCells><mergeCell ref=\"A2:A3\"/></mergeCells>")
        let result = try read(book, settings: ImportSettings(joins: ["stem": ["Passage"]]))
        #expect(
            result.questions.map(\.stem) == ["Iron rusts.\n\nWhat rusts?", "Iron rusts.\n\nWhere?"])
        #expect(result.notes.contains { $0.message.contains("A2:A3") })
    }

    @Test func hiddenRowsAndSheetsAreReadAndNoted() throws {
        var book = SampleWorkbook()
        book.add(
            "S", [header, ["One?", "a", "b", nil, "A"], ["Two?", "a", "b", nil, "B"]], hidden: 3)
        book.add("Old", [header, ["Three?", "a", "b", nil, "A"]], isHidden: true)
        let result = try read(book)
        #expect(result.questions.count == 3)
        #expect(
            result.notes.contains {
                $0.message.contains("hidden rows") && $0.message.contains("row 3")
            })
        #expect(result.notes.contains { $0.message.contains("\"Old\" is hidden") })
    }

    @Test func aPictureBelongsToItsRow() throws {
        var book = SampleWorkbook()
        book.pictures = [(row: 1, column: 0, bytes: [1, 2]), (row: 1, column: 2, bytes: [3])]
        book.pictures += [(row: 9, column: 0, bytes: [4])]
        book.add("S", [header, ["Which?", "a", "b", nil, "A"]])
        let result = try read(book)
        let question = try #require(result.questions.first)
        #expect(result.media[question.image ?? ""] == [1, 2])
        #expect(result.media[question.options[1].image ?? ""] == [3])
        #expect(result.notes.contains { $0.message.contains("the image at A10") })
    }

    @Test func headersOfQuizProgramsAreNames() throws {
        var book = SampleWorkbook()
        book.add(
            "Sheet1",
            [
                [nil, "Quiz template"],
                [
                    nil, "Question - max 120 characters", "Answer 1 - max 75 characters",
                    "Answer 2 - max 75 characters", "Time limit (sec)",
                    "Correct answer(s) - choose at least one",
                ],
                [("1", 0), "Which?", "Oxygen", "Iron", ("20", 0), ("2", 0)], [("2", 0)],
            ])
        let result = try read(book)
        #expect(result.foundCount == 1 && result.questions.map(\.keyTexts) == [["Iron"]])
    }

    @Test func brokenPartsAreNamed() throws {
        var twice = SampleWorkbook()
        twice.addRaw("S", [[SampleWorkbook.inline("Question"), "<c r=\"A1\"><v>1</v></c>"]])
        #expect(try refusal(twice).contains("\"A1\" in its row 1"))
        var far = SampleWorkbook()
        far.addRaw("S", [["<c r=\"XFD1\"><v>1</v></c>"]])
        #expect(try refusal(far).contains("1000 columns"))
        var outside = SampleWorkbook()
        outside.addRaw("S", [["<c r=\"ZZZZ1\"><v>1</v></c>"]])
        #expect(try refusal(outside).contains("ZZZZ1"))
        var lost = SampleWorkbook()
        lost.add("S", [header])
        lost.replaced["xl/worksheets/sheet1.xml"] = "<worksheet><sheetData>"
        #expect(try refusal(lost).contains("sheet1.xml that is not well-formed"))
        lost.replaced["xl/worksheets/sheet1.xml"] = .some(nil)
        #expect(try refusal(lost).contains("\"S\" and does not contain it"))
        lost.replaced["xl/worksheets/sheet1.xml"] =
            "<worksheet>" + String(repeating: " ", count: 3 << 20) + "</worksheet>"
        #expect(try refusal(lost).contains("swells"))
        var bare = SampleWorkbook()
        bare.add("S", [["Name", "Town"], ["Ada", "London"]])
        #expect(try refusal(bare).contains("\"Name\", \"Town\""))
    }

    @Test(arguments: ["bank.xls", "bank.ods", "bank.numbers"])
    func otherSpreadsheetsAreToldWhatToDo(file: String) {
        let error = #expect(throws: ImportError.self) {
            try imported([0x50, 0x4B, 1], nil, file: file)
        }
        #expect(error?.reason.contains("save it as .xlsx") == true)
    }

    @Test func aReaderThatLosesARowOrASheetIsFound() throws {
        var book = SampleWorkbook()
        book.add("S", [["Title"], header, ["One?", "a", "b", nil, "A"], [" ", nil, " "]])
        book.add("Notes", [["x"], ["y"]])
        let bytes = try book.bytes()
        let drafts = try WorkbookReader.read(bytes, file: "b", settings: ImportSettings())
        let sheets = try #require(drafts.sheets)
        #expect(sheets.map(\.rows) == [1, 2] && sheets.map(\.header) == [2, nil])
        try RowCount.check(bytes, against: sheets, found: 1, file: "b")
        for planted in [
            { (sheets: inout [ImportedDrafts.Sheet]) in sheets[0].rows = 0 },
            { $0[1].rows = 1 }, { $0.removeLast() }, { $0[0].header = 1 },
        ] as [(inout [ImportedDrafts.Sheet]) -> Void] {
            var changed = sheets
            planted(&changed)
            // A header that is no header has one column here, in which the question stands.
            if changed[0].header == 1 { changed[0].rows = 1 }
            #expect(throws: ImportError.self) {
                try RowCount.check(bytes, against: changed, found: 1, file: "b")
            }
        }
        #expect(throws: ImportError.self) {
            try RowCount.check(bytes, against: sheets, found: 0, file: "b")
        }
    }
}

extension Question {
    fileprivate var keyTexts: [String] { correct.map { options[$0].text } }
}
