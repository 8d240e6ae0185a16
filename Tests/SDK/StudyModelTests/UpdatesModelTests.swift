import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@Suite struct UpdatesModelTests {
    private let server: TestReleaseServer
    private let device: TestDevice
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "rules")

    init() throws {
        server = try TestReleaseServer(ReleaseContent(blueprints: [.rules(questions: 6)]))
        device = try TestDevice(network: server)
    }

    private func screen() async throws -> UpdatesScreen {
        let clock = device.clock
        let model = await UpdatesModel(
            StudyServices(
                content: device.store, userData: device.userData, clock: { clock.now }))
        await model.load()
        if let problem = await model.problem { throw problem }
        return try #require(await model.screen)
    }

    private func publish(_ edit: (inout Blueprint) -> Void) async throws {
        try server.publish { content in
            guard var blueprint = content[blueprint: "int/rules"] else { return }
            edit(&blueprint)
            content[blueprint: "int/rules"] = blueprint
        }
        await device.contentSync.sync(force: true)
    }

    private func answer(_ id: String) async throws {
        let record = AnswerRecord(
            sessionID: "s", questionID: id, contentVersion: "1", response: ["a"], isCorrect: true,
            credit: 1, timeTaken: 5, exposuresBefore: 0, mode: .study, isRandomlySelected: false,
            date: device.clock.now)
        try device.userData.add([record], to: bank, now: device.clock.now)
    }

    @Test func aDeviceWithOneReleaseHasNothingToCompare() async throws {
        #expect(try await !screen().isCompared)
        await device.contentSync.sync()
        let screen = try await screen()
        #expect(!screen.isCompared && screen.seen.isEmpty && screen.othersCount == 0)
    }

    @Test func changesOfSeenQuestionsComeFirst() async throws {
        await device.contentSync.sync()
        try await answer("q2")
        try await answer("q5")
        try await publish { blueprint in
            blueprint.questions[0].stem = "Question one?"
            blueprint.questions[1].correct = [1]
            blueprint.questions[1].explanation = "No it is."
            blueprint.questions[2].isRetired = true
            blueprint.questions[4].options[0].text = "Yes, always"
            var added = blueprint.questions[3]
            added.id = "q9"
            blueprint.questions.append(added)
        }
        let screen = try await screen()
        #expect(screen.isCompared)
        #expect(screen.seen.map(\.question.id) == ["q2", "q5"])
        #expect(screen.seen[0].formerKey == "Yes" && screen.seen[0].presentKey == "No")
        #expect(screen.seen[0].texts.map(\.place) == [.explanation])
        #expect(screen.seen[1].formerKey == nil)
        let runs = screen.seen[1].texts.flatMap(\.difference.runs)
        #expect(runs.map(\.text) == ["Yes", ", always"])
        #expect(runs.map(\.kind) == [.same, .added])
        #expect(screen.others.map(\.question.id) == ["q1", "q3", "q9"])
        #expect(screen.others.map(\.kind) == [.changed, .removed, .added])
    }

    @Test func theLastUpdateAloneIsShown() async throws {
        await device.contentSync.sync()
        try await publish { $0.questions[0].stem = "Question one?" }
        try await publish { $0.questions[1].stem = "Question two?" }
        #expect(try await screen().others.map(\.question.id) == ["q2"])
        try await publish { $0.title = "Other rules" }
        let screen = try await screen()
        #expect(screen.isCompared && screen.othersCount == 0)
    }

    @Test func aBankThatIsNewOrGoneIsCompared() async throws {
        await device.contentSync.sync()
        try server.publish { $0[blueprint: "int/sums"] = .rules(id: "int/sums", questions: 3) }
        await device.contentSync.sync(force: true)
        #expect(try await screen().others.map(\.kind) == [.added, .added])
        try server.publish { $0[blueprint: "int/sums"] = nil }
        await device.contentSync.sync(force: true)
        #expect(try await screen().others.map(\.subject.id) == ["int/sums", "int/sums"])
        #expect(try await screen().others.allSatisfy { $0.kind == .removed })
    }

    @Test func manyChangesAreCounted() async throws {
        try server.publish(ReleaseContent(blueprints: [.rules(questions: 131)]))
        await device.contentSync.sync()
        try await publish { blueprint in
            for index in blueprint.questions.indices { blueprint.questions[index].stem += "!" }
        }
        let screen = try await screen()
        #expect(screen.others.count == UpdatesScreen.othersMax && screen.othersCount == 130)
    }
}
