import Foundation
import TestSupport
import Testing

@testable import RemoteAssets

@Suite struct MaterializerTests {
    private struct Policy: Codable, Sendable, Equatable {
        var link: String
        var years: [Int]
    }

    private struct Features: FeatureConfiguration, Equatable {
        var dailyGoal = 20
        var showsStreak = true
        var greeting: String?
        var weights = ["a": 0.5]
    }

    @Test func dataIsPassedOn() throws {
        #expect(try Materializer.data(Data([0, 255])) == Data([0, 255]))
    }

    @Test func textIsUTF8() throws {
        #expect(try Materializer.text(Data("\u{FEFF}grüße".utf8)) == "grüße")
        #expect(throws: AssetError.self) { try Materializer.text(Data([0xC3, 0x28])) }
    }

    @Test func aScriptIsBoundedText() throws {
        #expect(try Materializer.script(Data("f = x => x\n".utf8)) == "f = x => x\n")
        for bad in ["", " \n", "a\0b", "\u{1B}[2J", String(repeating: "x", count: 256 << 10 | 1)] {
            #expect(throws: AssetError.self) { try Materializer.script(Data(bad.utf8)) }
        }
    }

    @Test func jsonNamesThePlaceOfAMistake() throws {
        let json = Materializer.json(Policy.self)
        let policy = try json(Data(#"{"link": "x", "years": [1]}"#.utf8))
        #expect(policy == Policy(link: "x", years: [1]))
        let error = #expect(throws: AssetError.self) {
            try json(Data(#"{"link": "x", "years": [1, "2"]}"#.utf8))
        }
        #expect(error?.code == .refused)
        #expect(error?.message.hasPrefix("At years.[1]:") == true)
        #expect(throws: AssetError.self) { try json(Data("{".utf8)) }
    }

    @Test func propertyListsAreXMLOrBinary() throws {
        let policy = Policy(link: "x", years: [1, 2])
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            let data = try encoder.encode(policy)
            #expect(try Materializer.propertyList(Policy.self)(data) == policy)
        }
        #expect(throws: AssetError.self) {
            try Materializer.propertyList(Policy.self)(Data("no list".utf8))
        }
    }

    @Test func stringsAreFoundByLanguage() throws {
        let json = #"{"en": {"a": "A", "b": "B"}, "de": {"a": "Ä"}, "pt-BR": {"a": "Á"}}"#
        let strings = try Materializer.strings(Data(json.utf8))
        #expect(strings.text("a", languages: ["de-AT", "en"]) == "Ä")
        #expect(strings.text("b", languages: ["de-AT"]) == "B")
        #expect(strings.text("a", languages: ["PT-br"]) == "Á")
        #expect(strings.text("a", languages: ["pt"]) == "A")
        #expect(strings.text("c", languages: ["de"]) == nil)
        #expect(throws: AssetError.self) { try Materializer.strings(Data(#"{"en": 1}"#.utf8)) }
    }

    @Test func limitsHoldForEveryKind() {
        #expect(throws: AssetError.self) { try Materializer.data.limited(to: 2)(Data(count: 3)) }
        #expect(throws: AssetError.self) {
            try Materializer.text.limited(to: 2).map(\.count)(Data("abc".utf8))
        }
    }

    // MARK: Settings

    private func read(_ json: String) throws -> (Features, [String]) {
        var notes: [String] = []
        let value = try Materializer.features(Features.self)(Data(json.utf8)) { notes.append($0) }
        return (value, notes)
    }

    @Test func settingsTakeWhatFits() throws {
        let (value, notes) = try read(
            #"{"dailyGoal": 5, "showsStreak": false, "greeting": "Hi", "weights": {"b": 1}}"#)
        #expect(
            value == Features(dailyGoal: 5, showsStreak: false, greeting: "Hi", weights: ["b": 1]))
        #expect(notes == [])
        #expect(try read("{}").0 == Features())
    }

    @Test func aMistypedSettingKeepsItsDefaultAndIsNoted() throws {
        let (value, notes) = try read(#"{"dailyGoal": "many", "showsStreak": false}"#)
        #expect(value == Features(showsStreak: false))
        #expect(notes.count == 1 && notes[0].contains("\"dailyGoal\""))
    }

    @Test func anUnknownSettingIsNoted() throws {
        let (value, notes) = try read(#"{"dailyGaol": 5, "greeting": "Hi", "showsStreak": null}"#)
        #expect(value == Features(greeting: "Hi"))
        #expect(notes.count == 2 && notes[0].contains("\"dailyGaol\""))
    }

    @Test(arguments: ["[]", "1", "", "{\"dailyGoal\": 1"])
    func whatIsNoObjectIsRefused(json: String) {
        #expect(throws: AssetError.self) { try read(json) }
    }

    @Test func notesReachWhoeverWatchesTheAsset() async throws {
        let fixture = try AssetFixture()
        let asset = try RemoteAsset(
            "f.json", folder: fixture.folder.url, appVersion: "1",
            bundled: { Data(#"{"old": 1}"#.utf8) }, materializer: .features(Features.self),
            provider: DataProvider { _ in .data(Data(#"{"dailyGoal": 0.5}"#.utf8), AssetTag()) })
        #expect(asset.notes.map(\.code) == [.ignored])
        #expect(await asset.refresh() == .replaced)
        #expect(asset.notes.map(\.description).first?.contains("f.json: \"dailyGoal\"") == true)
        #expect(asset.current == Features())
    }
}
