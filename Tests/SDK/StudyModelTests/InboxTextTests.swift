import Foundation
import Testing
import Underway

@testable import StudyModel

@Suite struct InboxTextTests {
    private typealias Goal = TwoDevices.Goal

    private func formats(_ language: String = "en") -> StudyFormats {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return StudyFormats(words: StudyText(language: language), calendar: calendar)
    }

    private func conflict(
        _ mine: some CollectionRecord, _ theirs: some CollectionRecord, _ key: RecordKey
    ) async throws -> (TwoDevices, ConflictScreen) {
        let devices = try await TwoDevices()
        try await devices.disagree(mine, theirs, id: key.id)
        let model = await ConflictModel(devices.services, key: key)
        await model.load()
        return (devices, try #require(await model.screen))
    }

    private func goals() async throws -> (TwoDevices, ConflictScreen) {
        try await conflict(
            Goal(title: "Mine", minutes: 20, isLoud: true, days: ["mon"]),
            Goal(title: "Theirs", minutes: 30, isLoud: false, days: ["tue"]),
            RecordKey("goals", "g"))
    }

    private func dates() async throws -> (TwoDevices, ConflictScreen) {
        try await conflict(
            Reservation(exam: "int/rules", date: "2027-02-12"),
            Reservation(exam: "int/rules", date: "2027-02-19"),
            RecordKey("reservations", "int/rules"))
    }

    @Test func anEmptyInboxSaysWhetherAllIsSent() {
        let now = Date(timeIntervalSince1970: 1_795_271_460)
        var screen = InboxScreen(now: now, choices: [], refused: [], replaced: [], messages: [])
        #expect(InboxText(screen, formats()).empty == "Nothing waits for you")
        screen.hasSynced = true
        #expect(InboxText(screen, formats()).empty == "Everything is in sync")
        screen.unsentCount = 2
        #expect(InboxText(screen, formats()).empty == "2 changes are not sent yet.")
    }

    @Test func everyEntryNamesItsThing() {
        let now = Date(timeIntervalSince1970: 1_795_271_460)
        let id = OperationID(client: ClientID("phone"), counter: 3)
        let screen = InboxScreen(
            now: now,
            choices: [
                .init(
                    key: RecordKey("reservations", "int/rules"), topic: .examDate(exam: "Rules"),
                    changedAt: now - 120)
            ],
            refused: [
                .init(
                    id: id, topic: .favourite(question: "Is x kept?"), reason: .quota,
                    changedAt: now)
            ],
            replaced: [.init(id: id, topic: .other(collection: "goals", id: "g"), changedAt: now)],
            messages: [
                .init(id: 1, title: "Hello", language: "en", seenAt: now),
                .init(id: 2, title: "New", language: "en", seenAt: nil),
            ])
        let words = InboxText(screen, formats())
        #expect(words.empty == nil)
        #expect(words.choices.map(\.heading) == ["Exam date: two versions"])
        #expect(words.choices.map(\.when) == ["2 minutes ago"])
        #expect(words.refused.map(\.heading) == ["Saved question: not accepted"])
        #expect(words.refused[0].reason.hasSuffix("There are too many entries."))
        #expect(words.refused[0].againName == "Send again: Saved question, Is x kept?")
        #expect(words.replaced.map(\.dismissName) == ["Dismiss: Another entry"])
        #expect(words.messages.map(\.note) == ["21 November · read", ""])
    }

    @Test func theTableNamesEachButtonByItsValue() async throws {
        let (_, screen) = try await dates()
        let table = ConflictTable(screen, formats())
        #expect(table.caption == "Exam date: two versions")
        #expect(table.fields.map(\.differs) == screen.fields.map(\.differs))
        #expect(table.fields[0].title == "Date" && table.differsWord == "differs")
        #expect(table.keepMine.title == "Keep Mine")
        #expect(table.keepMine.name == "Keep Mine: \(table.fields[0].mine.value)")
        #expect(table.useServer.name == "Use Server: \(table.fields[0].server.value)")
        #expect(table.fields[0].mine.value.contains("12 February"))
    }

    @Test func aDeletedVersionIsCalledDeleted() async throws {
        var (_, screen) = try await dates()
        screen.isMineDeleted = true
        let table = ConflictTable(screen, formats())
        #expect(table.fields.allSatisfy { $0.mine == .init(value: "deleted", was: nil) })
        #expect(table.keepMine.name == "Keep Mine: deleted")
        screen.fields = []
        #expect(ConflictTable(screen, formats()).keepMine.name == "Keep Mine: deleted")
    }

    @Test func choicesAreNamedInTheLearnersLanguage() async throws {
        let (_, screen) = try await goals()
        let names = FieldText(screen, formats())
        func choices(_ name: String) -> [FieldText.Choice] {
            screen.fields.first { $0.name == name }.map(names.choices) ?? []
        }
        #expect(choices("isLoud").map(\.name) == ["On", "Off"])
        #expect(choices("days").map(\.value) == [ConflictEdit.mine, ConflictEdit.server])
        #expect(choices("days").map(\.name) == ["Mine: mon", "Server: tue"])
        #expect(choices("title").isEmpty)
        let status = try await dates().1.fields.first { $0.kind == .status }
        let german = FieldText(screen, formats("de"))
        #expect(try german.choices(#require(status)).map(\.value).first == "planned")
    }

    @Test func anUntouchedDraftKeepsTheOwnVersion() async throws {
        let (_, screen) = try await goals()
        let draft = ConflictDraft(screen, calendar: formats().calendar)
        #expect(draft.edit == ConflictEdit([:], of: screen))
        #expect(draft.texts["title"] == "Mine" && draft.texts["days"] == ConflictEdit.mine)
    }

    @Test func aDraftTakesTextsNumbersAndTheOtherList() async throws {
        let (_, screen) = try await goals()
        var draft = ConflictDraft(screen, calendar: formats().calendar)
        draft.texts["title"] = "Both"
        draft.texts["minutes"] = "22,5"
        draft.texts["days"] = ConflictEdit.server
        #expect(draft.edit.fields["title"] == .text("Both"))
        #expect(draft.edit.fields["minutes"] == .decimal(22.5))
        #expect(draft.edit.fields["days"] == screen.fields.first { $0.name == "days" }?.server)
        draft.texts["minutes"] = "many"
        #expect(draft.edit.invalid == ["minutes"])
    }

    @Test func aDraftReadsDatesAsTheyAreBooked() async throws {
        let (devices, screen) = try await dates()
        var draft = ConflictDraft(screen, calendar: formats().calendar)
        #expect(draft.dates["date"] == BookingDate(day: "2027-02-12", time: ""))
        draft.dates["date"] = BookingDate(day: "no day", time: "")
        #expect(draft.edit.invalid == ["date"])
        draft.dates["date"] = BookingDate(day: "2027-02-19", time: "")
        let model = await ConflictModel(devices.services, key: screen.key)
        await model.load()
        await model.save(draft.edit, shown: screen.tag)
        #expect(await model.outcome == .edited)
    }
}
