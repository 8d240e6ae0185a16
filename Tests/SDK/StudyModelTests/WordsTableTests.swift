import Foundation
import Testing

@testable import StudyModel

/// The built-in tables of texts agree with the English one.
struct WordsTableTests {
    private static let codes = StudyText.languages.map(\.code)
    private let english = StudyText.builtIn["en"] ?? [:]

    @Test func thereIsATableOfEachLanguageAndNoOther() {
        #expect(Set(StudyText.builtIn.keys) == Set(Self.codes))
        #expect(english.count > 400)
    }

    @Test(arguments: codes)
    func aLanguageHasTheTextsOfEnglishInAllItsPluralCategories(code: String) {
        let families = Set(english.keys.compactMap { PluralCategory.family(of: $0, in: english) })
        let single = english.keys.filter { PluralCategory.family(of: $0, in: english) == nil }
        let plural = families.flatMap { family in
            PluralCategory.categories(of: code).map { "\(family).\($0)" }
        }
        let expected = Set(single).union(plural)
        let found = Set(StudyText.builtIn[code, default: [:]].keys)
        #expect(expected.subtracting(found).sorted() == [], "missing in \(code)")
        #expect(found.subtracting(expected).sorted() == [], "superfluous in \(code)")
    }

    @Test(arguments: codes)
    func aTextHasThePlacesOfTheEnglishOne(code: String) {
        let texts = StudyText.builtIn[code, default: [:]]
        for (key, text) in texts {
            let family = PluralCategory.family(of: key, in: texts)
            let expected = Self.places(of: english[family.map { "\($0).other" } ?? key] ?? "")
            let found = Self.places(of: text)
            // A form for exactly 0, 1 or 2 may say the number in words.
            let mayLack: Set<String> =
                ["zero", "one", "two"].contains { key.hasSuffix(".\($0)") } ? ["count"] : []
            #expect(found.subtracting(expected) == [], "\(code) \(key)")
            // Forms without a plural noun, such as Arabic for none, may also leave amounts out.
            let missing = expected.subtracting(found).subtracting(mayLack)
            #expect(missing == [] || Self.saysNothing(key), "\(code) \(key): \(missing)")
            #expect(family != nil || !found.contains("count"), "\(code) \(key) counts")
        }
    }

    @Test(arguments: codes)
    func bracesArePairedAndTextsAreWhole(code: String) {
        for (key, text) in StudyText.builtIn[code, default: [:]] {
            let rest = text.replacing(/\{[a-zA-Z]+\}/, with: "")
            #expect(!rest.contains { "{}<>&".contains($0) }, "\(code) \(key)")
            #expect(!text.isEmpty, "\(code) \(key)")
            #expect(text == text.trimmingCharacters(in: .whitespacesAndNewlines), "\(code) \(key)")
        }
    }

    @Test(arguments: codes)
    func noKeyIsTheBeginningOfAnotherOne(code: String) {
        let keys = Set(StudyText.builtIn[code, default: [:]].keys)
        for key in keys {
            let parts = key.split(separator: ".")
            #expect(parts.count >= 2, "\(key) names no screen")
            for count in 1..<parts.count {
                let beginning = parts.prefix(count).joined(separator: ".")
                #expect(!keys.contains(beginning), "\(beginning) and \(key)")
            }
        }
    }

    @Test func noTextShowsAWordOfTheMachinery() {
        let never = [
            "blueprint", "generation", "manifest", "checksum", "revision", "cursor", "epoch",
            "record", "theta", "discrimination", "oops", "submit", "are you sure",
        ]
        // Spoken formulas name the letter theta.
        for (key, text) in english where !key.hasPrefix("formula.") {
            for word in never {
                #expect(!text.lowercased().contains(word), "\(key): \(text)")
            }
        }
    }

    private static func places(of text: String) -> Set<String> {
        Set(text.matches(of: /\{([^}]*)\}/).map { String($0.output.1) })
    }

    private static func saysNothing(_ key: String) -> Bool { key.hasSuffix(".zero") }
}
