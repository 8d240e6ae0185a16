import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import Testing

/// Users whose data is on one device: listed, moved, exported, removed.
@Suite struct UsersOnOneDeviceTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let bank = QuestionFilter.Bank.placement(language: "es")

    /// A store with data of `local` and `ada`; `ada` is the current user.
    private func store() throws -> UserStore {
        let store = try UserStore.inMemory()
        try store.put(Favourite(bank: "es"), id: "guest", now: now)
        try store.add([answer("g")], to: bank, now: now)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try store.put(Favourite(bank: "de"), id: "own", now: now)
        return store
    }

    private func answer(_ question: String) -> AnswerRecord {
        AnswerRecord(
            sessionID: "s", questionID: question, domain: nil, contentVersion: "v",
            response: QuestionResponse(texts: ["a"]), isCorrect: true, credit: 1, rating: nil,
            timeTaken: 1, exposuresBefore: 0, mode: .study, isRandomlySelected: false, date: now)
    }

    private func code(_ body: () throws -> Void) -> StoreError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }

    @Test func othersAreListedWithWhatTheyHave() throws {
        let other = try #require(try store().otherUsers().first)
        #expect(other.id == UserStore.localUser)
        #expect(other.recordCount == 1 && other.answerCount == 1 && other.waitingCount == 2)
    }

    @Test func theirDataMovesToTheCurrentUserOnce() throws {
        let store = try store()
        try store.bring(from: UserStore.localUser, now: now)
        #expect(try store.records(Favourite.self).map(\.id) == ["guest", "own"])
        #expect(try store.answers(of: bank).map(\.questionID) == ["g"])
        #expect(try store.otherUsers().isEmpty)
        #expect(code { try store.bring(from: UserStore.localUser) } == .notFound)
        #expect(code { try store.bring(from: "ada") } == .notFound)
    }

    @Test func theirDataIsErasedOnlyWhenTheLossIsAccepted() throws {
        let store = try store()
        #expect(code { try store.erase(user: UserStore.localUser) } == .unsent)
        #expect(code { try store.erase(user: "ada", lossIsAccepted: true) } == .refused)
        #expect(code { try store.erase(user: "nobody") } == .notFound)
        try store.erase(user: UserStore.localUser, lossIsAccepted: true)
        #expect(try store.otherUsers().isEmpty)
        #expect(try store.records(Favourite.self).map(\.id) == ["own"])
    }

    @Test func anExportHasRecordsAndAnswers() throws {
        let store = try store()
        let data = try store.export(user: UserStore.localUser)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["user"] as? String == UserStore.localUser)
        #expect((json["records"] as? [Any])?.count == 1)
        #expect((json["answers"] as? [Any])?.count == 1)
        #expect(code { _ = try store.export(user: "nobody") } == .notFound)
    }

    @Test func anAccountThatOnlyThisDeviceCanReachIsNotErasedSilently() throws {
        let store = try UserStore.inMemory()
        try store.put(Favourite(bank: "es"), id: "q", now: now)
        #expect(code { try store.signOut(erasing: true) } == .unsent)
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try store.hasData())
        #expect(code { try store.signOut(erasing: true) } == .unsent)
        try store.signOut(erasing: false)
        #expect(try !store.hasData() && store.user == UserStore.localUser)
        #expect(try store.otherUsers().map(\.user) == ["ada"])
    }

    @Test func aSwitchThatAnotherProcessOvertookIsOutdated() throws {
        let store = try store()
        let outdated = code {
            try store.switchUser(
                to: "bob", bringing: .everything, from: UserStore.localUser, now: now)
        }
        #expect(outdated == .outdated && store.user == "ada")
    }
}
