import StudyModel
import Testing
import Underway

/// The language in which the texts of a subject are spoken.
@Suite struct SubjectLanguageTests {
    @Test(arguments: [nil, "en"])
    func aPlacementTestSpeaksTheLanguageOfItsTexts(declared: String?) {
        var blueprint = Blueprint(
            kind: .placement, id: "es", title: "Spanish", version: "1", questions: [])
        blueprint.language = declared
        let subject = Subject(blueprint, of: .placement(language: "es"))
        #expect(subject.language == "es" && subject.contentLanguage == declared ?? "es")
    }
}
