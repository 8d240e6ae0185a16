import Testing

@testable import ContentModel

@Suite struct WordDifferenceTests {
    private func side(_ runs: [WordDifference.Run], without kind: WordDifference.Run.Kind) -> String
    {
        runs.filter { $0.kind != kind }.map(\.text).joined()
    }

    @Test func changedWordsStandBesideEachOther() {
        let runs = WordDifference(from: "A big red boat.", to: "A small red boat!").runs
        #expect(
            runs == [
                .init(text: "A ", kind: .same), .init(text: "big ", kind: .removed),
                .init(text: "small ", kind: .added), .init(text: "red boat", kind: .same),
                .init(text: ".", kind: .removed), .init(text: "!", kind: .added),
            ])
        #expect(WordDifference(from: "", to: "").runs.isEmpty)
        #expect(WordDifference(from: "same", to: "same").runs == [.init(text: "same", kind: .same)])
    }

    @Test func scriptsWithoutSpacesAreComparedByLetters() {
        let runs = WordDifference(from: "赤い船です", to: "青い船です").runs
        #expect(runs.map(\.text) == ["赤", "青", "い船です"])
    }

    @Test func bothTextsAreInTheRuns() {
        var random = SystemRandomNumberGenerator()
        let words = ["a", "b", " ", "  ", ".", "\n", "é", "日", "ع", "👩‍🚀", "`", "x_1"]
        for _ in 0..<2000 {
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    words.randomElement(using: &random) ?? ""
                }.joined()
            }
            let runs = WordDifference(from: texts[0], to: texts[1]).runs
            #expect(side(runs, without: .added) == texts[0], "\(texts)")
            #expect(side(runs, without: .removed) == texts[1], "\(texts)")
            #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.kind != $1.kind }, "\(texts)")
        }
    }

    @Test func longTextsAreReplacedAsAWhole() {
        let old = (0..<2500).map { "a\($0) " }.joined()
        let new = (0..<2500).map { "b\($0) " }.joined()
        #expect(WordDifference(from: old, to: new).runs.map(\.kind) == [.removed, .added])
    }
}
