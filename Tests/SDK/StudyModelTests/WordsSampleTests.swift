import Foundation
import Testing

@testable import StudyModel

/// The sample content carries the texts of the study app, as a release that replaces them does.
struct WordsSampleTests {
    @Test(arguments: StudyText.languages.map(\.code))
    func theSampleHasTheBuiltInTexts(code: String) throws {
        let file = URL(filePath: #filePath).appending(
            path: "../../../../Sample/content/languages/\(code)/localization.json"
        ).standardizedFileURL
        let sample = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
        let texts = StudyText.builtIn[code, default: [:]].map { ("study.\($0.key)", $0.value) }
        let differing = Dictionary(uniqueKeysWithValues: texts).filter {
            sample[$0.key] != $0.value
        }
        let superfluous = sample.keys.filter { key in
            key.hasPrefix("study.") && !texts.contains { $0.0 == key }
        }
        #expect(
            differing.isEmpty && superfluous.isEmpty,
            "run python3 Sample/Generator/words.py: \(differing.keys.sorted()), \(superfluous)")
    }
}
