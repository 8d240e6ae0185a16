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
        try await device.userData.add([record], to: bank, now: device.clock.now)
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
        #expect(
            screen.seen[1].texts.map(\.difference.runs) == [
                [
                    .init(text: "Yes", kind: .same), .init(text: ", always", kind: .added),
                ]
            ])
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
