import ContentModel
import Foundation
import QuestionEngine
import Testing

/// Identities that a list of an app shows rows by.
@Suite struct IdentityTests {
    private let question = Question(
        id: "q", type: .singleChoice, difficulty: 1, stem: "?",
        options: [QuestionOption(id: "a", text: "A"), QuestionOption(id: "b", text: "B")],
        correct: [0])

    private func id<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }

    @Test func contentHasItsIDs() {
        #expect(id(question) == "q" && question.options.map(id) == ["a", "b"])
        #expect(id(Domain(id: "net", title: "Networking", weight: 1)) == "net")
        #expect(id(CutScore(level: "A2", from: 3)) == "A2")
        let announcement = Announcement(
            identifier: 7, type: .information,
            texts: ["en": AnnouncementText(title: "t", content: "c")])
        let audience = AnnouncementAudience(
            appVersion: "1", languages: ["en"], now: "2026-11-21T20:00:00Z")
        #expect(id(announcement) == 7 && audience.choice(of: [announcement]).map(id) == 7)
    }

    @Test func entriesOfASessionHaveTheirQuestions() {
        var random = SeededRandom(seed: 1)
        let entry = StudySession.Entry(question, exposuresBefore: 0)
        #expect(id(entry) == "q" && entry.contentVersion == question.contentVersion)
        let session = StudySession(
            id: "s", mode: .study, entries: [entry], now: .now, using: &random)
        #expect(id(session) == "s" && session.items.map(id) == ["q"])
        #expect(
            StudySession.Entry(question, contentVersion: "1", exposuresBefore: 0).contentVersion
                == "1")
    }

    @Test func aPoolHasItsQuestions() {
        let bank = Blueprint(
            kind: .exam, id: "ca/b", title: "", version: "1", questions: [question])
        #expect(QuestionPool([bank]).entries.map(id) == ["q"] && id(bank) == "ca/b")
    }
}
