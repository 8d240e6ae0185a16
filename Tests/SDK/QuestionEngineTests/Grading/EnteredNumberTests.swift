import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

/// Numbers as learners type them, against the vectors of `numbers.json`.
@Suite struct EnteredNumberTests {
    private static let codes = [
        "empty": EngineErrorCode.emptyNumber, "endless": .endlessFraction,
        "groups": .numberGroups, "long": .longNumber, "mixed-digits": .mixedDigits,
        "no-number": .noNumber, "unit": .otherUnit,
    ]

    private func outcome(
        _ text: String, _ locale: String, unit: String? = nil
    ) -> Result<DecimalNumber, EnteredNumberError> {
        do throws(EnteredNumberError) {
            return .success(
                try DecimalNumber(entered: text, unit: unit, locale: Locale(identifier: locale)))
        } catch {
            return .failure(error)
        }
    }

    @Test func everyVectorIsReadAsItSays() throws {
        let cases = try VectorTree.load("numbers.json")["cases"].list
        #expect(cases.count == 117)
        for vector in cases {
            let (typed, locale) = (vector["typed"].text, vector["locale"].text)
            let unit = vector["unit"].isNull ? nil : vector["unit"].text
            let found = outcome(typed, locale, unit: unit)
            let name: Comment = "\(locale): \(typed)"
            if !vector["value"].isNull {
                let expected = try #require(DecimalNumber(vector["value"].text), name)
                #expect(found == .success(expected), name)
                continue
            }
            guard case .failure(let error) = found else {
                Issue.record("\(name) is \(found)")
                continue
            }
            if vector["ask"].isNull {
                #expect(error.code == Self.codes[vector["refuse"].text], name)
                #expect(error.readings.isEmpty && error.doubt == nil, name)
            } else {
                #expect(
                    error.readings.map(\.description) == vector["ask"].list.map(\.text), name)
                #expect(error.code == .ambiguousNumber && error.doubt != nil, name)
            }
        }
    }

    @Test func eachLocaleHasTheDecimalSignOfTheVectors() throws {
        let signs = try VectorTree.load("numbers.json")["decimalSeparator"]
        #expect(signs.names.count == 31)
        for locale in signs.names {
            let isPoint = (try? outcome("1.080", locale).get()) != nil
            let isComma = (try? outcome("1,080", locale).get()) != nil
            let found = isPoint ? "." : isComma ? "," : "?"
            #expect(found == signs[locale].text, "\(locale)")
            #expect(!(isPoint && isComma), "\(locale)")
        }
    }

    /// A choice between two readings and the field of an earlier answer show texts that are never asked back.
    @Test func aWrittenNumberReadsAsItselfInEveryLocale() throws {
        var random = SeededGenerator(seed: 41)
        let locales = try VectorTree.load("numbers.json")["decimalSeparator"].names + ["xx"]
        for locale in locales {
            for _ in 0..<200 {
                let digits = Int.random(in: 1...9, using: &random)
                let power = Int.random(in: -6...6, using: &random)
                let mantissa = Int.random(in: 0..<Int(pow(10, Double(digits))), using: &random)
                let sign = Bool.random(using: &random) ? "-" : ""
                let number = try #require(DecimalNumber("\(sign)\(mantissa)e\(power)"))
                let text = number.entered(in: Locale(identifier: locale))
                #expect(outcome(text, locale) == .success(number), "\(locale): \(text)")
            }
        }
    }

    @Test(arguments: [
        "", " ", "%", "=", "-", "+", ".", ",", "٫", "٬", "/", "1/", "/2", "½½", "e5", "10^",
        "×10^3", "-=5",
        "1..2", "1.,2", " 1", "\u{202E}", "５％５", "1 1/2 1/2", "9999999999999999/1", "e", "1e",
        "1ee1",
        "1,234,", ",1,234", "1٫2٫3", "１1", String(repeating: "9", count: 10_000),
        String(repeating: "1,", count: 5_000), String(repeating: "½", count: 100),
    ])
    func strangeTextsAreRefusedOrRead(text: String) {
        for locale in ["en", "de", "es", "ar", "xx"] {
            for unit in [nil, "%", "m/s²", ""] {
                if case .failure(let error) = outcome(text, locale, unit: unit) {
                    #expect(!error.message.isEmpty)
                    #expect(error.readings.isEmpty || error.readings.count == 2)
                }
            }
        }
    }

    @Test func aReasonNamesWhatToTypeInstead() throws {
        guard case .failure(let third) = outcome("-1/3", "de") else {
            Issue.record("-1/3 has no end")
            return
        }
        #expect(third.example == DecimalNumber("-0.333"))
        guard case .failure(let mile) = outcome("5 miles", "en", unit: "m") else {
            Issue.record("5 miles are no metres")
            return
        }
        #expect(mile.unit == "m" && mile.message == "Enter the number in m.")
    }
}
