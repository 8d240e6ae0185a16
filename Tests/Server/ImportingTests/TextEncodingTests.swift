import ContentModel
import Foundation
import Importing
import Testing

/// The encodings of imported texts, named or recognised.
@Suite struct TextEncodingTests {
    private func read(_ bytes: [UInt8], _ file: String, _ encoding: String?) throws -> ImportResult
    {
        var importer = QuestionImporter(
            settings: ImportSettings(encoding: try encoding.map { try #require(TextEncoding($0)) }))
        return try importer.read(bytes, file: file)
    }

    private func bytes(_ text: String, _ encoding: String.Encoding) throws -> [UInt8] {
        [UInt8](try #require(text.data(using: encoding)))
    }

    private let russian = "Кто?\nA. Он\nB. Она\nANSWER: A\n"

    @Test func aNamedEncodingDecides() throws {
        for (name, encoding) in [
            ("windows-1251", String.Encoding.windowsCP1251), ("UTF-16LE", .utf16LittleEndian),
        ] {
            let result = try read(bytes(russian, encoding), "bank.txt", name)
            #expect(result.questions.map(\.stem) == ["Кто?"], "\(name)")
            #expect(result.encoding == name.lowercased())
        }
    }

    @Test func aGuessIsSaidWithItsLine() throws {
        let result = try read(
            bytes("Wo?\nA. Hier\nB. Größe\nANSWER: A\n", .windowsCP1252), "bank.txt", nil)
        #expect(result.questions.first?.options.last?.text == "Größe")
        #expect(result.notes.map(\.place) == ["line 3"])
        #expect(
            result.notes.map(\.message) == [
                "the text is not UTF-8 and was read as Windows-1252; --encoding names another"
            ])
    }

    @Test func anOddLineCostsThatLineAtMost() throws {
        let city = "Which city?\nA. Orléans\nB. Köln\nANSWER: A\n\n"
        let drink =
            Array("Which drink?\nA. Caf".utf8) + [0xE9] + Array("\nB. Ice\nANSWER: A\n".utf8)
        let result = try read(Array(city.utf8) + drink, "bank.txt", nil)
        #expect(result.questions.map { $0.options[0].text } == ["Orléans", "Café"])
        #expect(result.encoding == "UTF-8" && result.notes.map(\.place) == ["line 7"])
        let undefined = drink.map { $0 == 0xE9 ? 0x81 : $0 }
        let damaged = try read(Array(city.utf8) + undefined, "bank.txt", nil)
        #expect(damaged.questions.count == 1 && damaged.skipped.map(\.place) == ["line 6"])
        #expect(throws: ImportError.self) {
            try read(Array(city.utf8) + undefined + [0x0A] + undefined, "bank.txt", nil)
        }
    }

    @Test func bytesOfNoKnownEncodingAreSaidWithTheirLine() throws {
        let error = #expect(throws: ImportError.self) {
            try read(Array("Who?\nA. a\nB. ".utf8) + [0x81, 0x0A], "bank.txt", nil)
        }
        #expect(
            error?.reason
                == "has a byte on line 3 that is neither UTF-8 nor Windows-1252; --encoding names its encoding, as in --encoding windows-1251"
        )
    }

    @Test func bytesThatAreNotTheNamedEncodingAreRefused() throws {
        for (bytes, name) in [([0x41, 0xFF], "utf-8"), ([0x41], "utf-16le")] as [([UInt8], String)]
        {
            #expect(throws: ImportError.self, "\(name)") {
                try read(bytes, "bank.txt", name)
            }
        }
        #expect(throws: ImportError.self) { try read([0x50, 0x4B, 3, 4], "bank.zip", "utf-8") }
        #expect(TextEncoding("klingon") == nil)
    }
}
