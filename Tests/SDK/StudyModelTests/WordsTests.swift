import Foundation
import Testing
import Underway

@testable import StudyModel

struct WordsTests {
    @Test func aTextOfTheReleaseReplacesTheBuiltInOne() {
        let release = Localization(strings: [
            "study.nav.today": "Jetzt", "nav.library": "Regal", "study.nav.unknown": "?",
            "study.nav": "nothing", "study.nav.inbox": "",
        ])
        let words = StudyText(language: "de", overrides: release)
        #expect(words["nav.today"] == "Jetzt")
        #expect(words["nav.library"] == "Bibliothek")
        #expect(words["nav.unknown"] == "nav.unknown")
        #expect(words["nav"] == "nav")
        #expect(words["nav.inbox"] == "Eingang")
    }

    @Test func aMissingTextIsTheEnglishOneElseItsKey() {
        let words = StudyText(
            "ar", texts: ["a.x": "س"],
            english: ["a.x": "x", "a.y": "y", "a.n.one": "one", "a.n.other": "{count} of them"])
        #expect(words["a.x"] == "س")
        #expect(words["a.y"] == "y")
        #expect(words["a.z"] == "a.z")
        #expect(words.count("a.n", 1) == "one")
        #expect(words.count("a.n", 3) == "3 of them")
        #expect(words.count("a.m", 3) == "a.m")
    }

    @Test func placesAreFilledOnceAndUnknownOnesRemain() {
        let words = StudyText("en", texts: ["a.b": "{x} and {y}, {z}{"], english: [:])
        #expect(words.text("a.b", ["x": "{y}", "y": "2"]) == "{y} and 2, {z}{")
    }

    @Test func aValueAgainstTheDirectionOfTheLanguageIsIsolated() {
        let english = StudyText("en", texts: ["a.b": "Study {x}"], english: [:])
        #expect(english.text("a.b", ["x": "العربية"]) == "Study \u{2068}العربية\u{2069}")
        #expect(english.text("a.b", ["x": "日本語 1"]) == "Study 日本語 1")
        let arabic = StudyText("ar", texts: ["a.b": "ادرس {x}"], english: [:])
        #expect(arabic.text("a.b", ["x": "Swift"]) == "ادرس \u{2068}Swift\u{2069}")
        #expect(arabic.text("a.b", ["x": "14"]) == "ادرس 14")
        #expect(arabic.text("a.b", ["x": "العربية"]) == "ادرس العربية")
    }

    @Test func aCountTakesTheFormAndTheDigitsGroupingOfTheLanguage() {
        let english = StudyText(language: "en")
        #expect(english.count("today.examIn", 1) == "exam in 1 day")
        #expect(english.count("today.examIn", 1240) == "exam in 1,240 days")
        let arabic = StudyText(language: "ar")
        #expect(arabic.count("time.days", 2) == "يومان")
        #expect(arabic.count("time.days", 3) == "3 أيام")
        #expect(arabic.count("time.days", 11) == "11 يومًا")
        #expect(StudyText(language: "es").count("time.days", 1_000_000) == "1.000.000 de días")
        let sentence = english.count(
            "today.summary", 24, ["date": "Saturday", "duration": "9 min"])
        #expect(sentence == "Saturday. 24 cards are due, 9 min.")
    }

    /// Sample numbers of the CLDR's chart of plural rules.
    @Test(arguments: [
        ("en", 0, "other"), ("en", 1, "one"), ("en", 2, "other"), ("en", 101, "other"),
        ("de", 1, "one"), ("de", -1, "one"), ("de", 21, "other"), ("ja", 1, "other"),
        ("es", 0, "other"), ("es", 1, "one"), ("es", 999_999, "other"), ("es", 2_000_000, "many"),
        ("ar", 0, "zero"), ("ar", 1, "one"), ("ar", 2, "two"), ("ar", 3, "few"), ("ar", 10, "few"),
        ("ar", 11, "many"), ("ar", 99, "many"), ("ar", 100, "other"), ("ar", 102, "other"),
        ("ar", 103, "few"), ("ar", 111, "many"), ("ar", 1000, "other"), ("xx", 1, "other"),
    ])
    func aNumberHasItsPluralCategory(language: String, number: Int, category: String) {
        #expect(PluralCategory(number, language: language).rawValue == category)
    }

    @Test func templatesSeeNestedTextsWithoutThoseOfNumbers() throws {
        let nested = StudyText(language: "ja").nested
        let time = try #require(nested["time"] as? [String: Any])
        #expect(time["today"] as? String == "今日")
        #expect(time["days"] == nil)
        let freshness = try #require(nested["freshness"] as? [String: Any])
        let updated = try #require(freshness["updated"] as? [String: Any])
        #expect((updated["on"] as? String)?.contains("{date}") == true)
    }

    @Test(arguments: [
        (["de-AT", "en"], "de"), (["fr", "es-419"], "es"), (["zh-Hant", "ja_JP"], "ja"),
        (["AR-eg"], "ar"), (["fr", "pt"], "en"), ([], "en"), (["de-x-private"], "de"),
        (["", "-", "*", "deu"], "en"), (["eng", "de"], "de"),
    ])
    func theLanguageIsThatOfTheFirstTagThatHasOne(accepted: [String], code: String) {
        #expect(StudyText.best(for: accepted) == code)
    }

    @Test(arguments: [
        ("de-CH, fr;q=0.9, en;q=0.8", "de"), ("en;q=0.3, ja;q=0.9", "ja"),
        ("en;q=0.5,es;q=0.5", "en"), ("de;q=0, es ; Q=0.1", "es"), ("", "en"), (";;q=,,", "en"),
        ("ar;q=abc, es;q=0.2", "es"), ("ar;q=nan, de;q=0.1", "de"), ("*", "en"),
    ])
    func aHeaderIsReadByWeight(header: String, code: String) {
        #expect(StudyText.best(forAcceptLanguage: header) == code)
    }

    @Test func onlyTheFirstRangesOfALongHeaderCount() {
        let header = Array(repeating: "xx", count: 32).joined(separator: ",") + ",de"
        #expect(StudyText.best(forAcceptLanguage: header) == "en")
    }

    @Test func onlyArabicRunsFromRightToLeft() {
        let codes = StudyText.languages.map(\.code)
        #expect(codes.filter { StudyText(language: $0).isRightToLeft } == ["ar"])
    }

    @Test func aRegionDecidesTheLocaleOfItsLanguageOnly() {
        #expect(StudyText(language: "en").locale.identifier == "en_GB")
        #expect(StudyText(language: "en-US").locale.region?.identifier == "US")
        let other = StudyText(language: "fr-CA")
        #expect(other.language == "en" && other.locale.identifier == "en_GB")
    }
}
