import Accounts
import ContentModel
import DatabaseTestSupport
import Foundation
import Ledger
import Operations
import PostgresDriver
import Publishing
import Review
import ServerApplication
import Synchronization
import Tables
import TestSupport
import Testing
import Workflows

@testable import DeskWeb

/// A confirmation that is begun at one door, killed after a step, and finished at the other.
@Suite struct ConfirmationKillTests {
    enum Door: CaseIterable {
        case desk, command
    }

    struct Kill: Sendable, CustomTestStringConvertible {
        var step: WorkflowStep
        var first: Door
        var isPostgres: Bool

        var testDescription: String {
            "\(first) killed after \(step), \(isPostgres ? "PostgreSQL" : "SQLite")"
        }

        static let all = [false, true].flatMap { isPostgres in
            WorkflowStep.allCases.flatMap { step in
                Door.allCases.map { Kill(step: step, first: $0, isPostgres: isPostgres) }
            }
        }
    }

    /// What holds of a confirmation.
    struct Held: Equatable {
        var steps: [WorkflowStep]
        var notes: Int
        var commits: Int
        var releases: Int
        var entries: [String]
    }

    @Test(arguments: Kill.all) func theOtherDoorFinishes(kill: Kill) async throws {
        let world = try await ConfirmationWorld(isPostgres: kill.isPostgres)
        await #expect(throws: Killed.self) {
            try await world.begin(at: kill.first, killedAfter: kill.step)
        }
        let taken = WorkflowStep.allCases.prefix { $0 != kill.step } + [kill.step]
        #expect(try await world.held() == Held(taken))

        try await world.finish(at: kill.first == .desk ? .command : .desk)
        #expect(try await world.held() == Held(WorkflowStep.allCases))
        // Whoever comes again changes nothing.
        try await world.finish(at: kill.first)
        #expect(try await world.held() == Held(WorkflowStep.allCases))
        #expect(try world.desk.folder.text(ConfirmationWorld.file) == ConfirmationWorld.corrected)
        let message = try world.git("log", "-1", "--format=%B")
        #expect(
            message.hasPrefix(
                """
                Correct the key of q1 in int/made

                120 first answers, of 100 such keys about 97 are wrong, 2 reports. Proposal 1.
                """), "\(message)")
    }

    @Test func anErrorSaysWhatHolds() async throws {
        let world = try await ConfirmationWorld(isPostgres: false)
        let hook = world.desk.content + "/.git/hooks/pre-commit"
        try world.desk.folder.write("#!/bin/sh\nexit 1\n", to: "content/.git/hooks/pre-commit")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
        let browser = try await world.desk.browser([.author, .publisher])
        let reply = try await ProposalPagesTests.confirm(browser, 1, [("then", "publish")])

        #expect(reply.status == 503 || reply.status == 409)
        #expect(reply.body.contains("(Double) now, it was"), "\(reply.body)")
        #expect(reply.body.contains("It was not committed, and the decision was not written. git"))
        #expect(try await world.held().steps == [.corrected])
    }
}

extension ConfirmationKillTests.Held {
    /// What holds after some steps.
    init(_ steps: some Sequence<WorkflowStep>) {
        self.steps = Array(steps)
        notes = 1
        commits = self.steps.contains(.committed) ? 2 : 1
        releases = self.steps.contains(.released) ? 2 : 1
        entries =
            (self.steps.contains(.decided) ? ["proposal.confirmed"] : [])
            + (self.steps.contains(.recorded) ? ["content.published"] : [])
    }
}

/// A stop after a step, where a process would be killed.
private struct Killed: Error {}

/// A desk and a command over the same folders and the same data.
private struct ConfirmationWorld {
    static let file = "content/exams/int/made/questions.yaml"
    static let corrected = DeskWorld.sampleQuestions.replacing(
        "correct: [0]", with: "correct: [1]", maxReplacements: 1)

    let desk: DeskWorld
    /// The data as a command opens it.
    private let users: UserBackend

    init(isPostgres: Bool) async throws {
        if isPostgres {
            let pool = try await Self.pool()
            desk = try await DeskWorld(makeUsers: { try await UserBackend(pool, $0) })
            users = try await .reader(pool)
        } else {
            desk = try await DeskWorld()
            users = try await .reader(
                .ofServer(path: desk.folder.path + "/users/" + UserServiceOptions.databaseName))
        }
        _ = try await ProposalPagesTests.propose(desk)
        for words in [
            ["init", "--quiet"], ["config", "user.name", "Ada"],
            ["config", "user.email", "ada@desk"], ["add", "."],
            ["commit", "--quiet", "--message", "Begin"],
        ] { try desk.git(words) }
    }

    /// The name of a migrated database, and the number of its copies.
    private static let template = Task {
        let server = try PostgresServer.shared()
        let address = try await server.newDatabase("workflows")
        let admin = PostgresPool(PoolSettings(address))
        _ = try await admin.use { try PostgresMigrator().migrate($0) }
        await admin.close()
        try await server.openLogin(in: address.database ?? "")
        return address.database ?? ""
    }
    private static let copies = Atomic(0)

    /// A database of PostgreSQL of its own.
    private static func pool() async throws -> PostgresPool {
        let server = try PostgresServer.shared()
        let template = try await template.value
        let name = "\(template)_\(copies.add(1, ordering: .relaxed).newValue)"
        try await server.copyDatabase(template, to: name)
        return PostgresPool(PoolSettings(server.address(name, user: "underway_server")))
    }

    func git(_ words: String...) throws -> String { try desk.git(words) }

    private func place(at door: ConfirmationKillTests.Door) -> Workplace {
        door == .desk
            ? desk.desk.workplace
            : Workplace(content: desk.content, release: desk.release, users: users)
    }

    /// Begins as a door does, until it is killed.
    func begin(
        at door: ConfirmationKillTests.Door, killedAfter step: WorkflowStep
    ) async throws {
        var place = place(at: door)
        place.reached = { if $0 == step { throw Killed() } }
        let actor =
            door == .desk
            ? Actor(id: "account", name: "ada@example.org", address: "ada@example.org")
            : Actor(id: "operator:bob", name: "bob", address: "bob@host")
        do {
            _ = try await KeyConfirmation(1, ships: .alone).run(in: place, by: actor)
        } catch let error as WorkflowError { throw error.cause ?? error }
    }

    /// Confirms from the start, by a press on the page or as the command does.
    func finish(at door: ConfirmationKillTests.Door) async throws {
        switch door {
        case .desk:
            let browser = try await desk.browser(
                [.author, .publisher], email: "\(UUID().uuidString)@example.org")
            let reply = try await ProposalPagesTests.confirm(browser, 1, [("then", "publish")])
            #expect(reply.status == 303, "\(reply.body)")
        case .command:
            let actor = Actor(id: "operator:cem", name: "cem", address: "cem@host")
            _ = try await KeyConfirmation(1, ships: .alone).run(in: place(at: .command), by: actor)
        }
    }

    func held() async throws -> ConfirmationKillTests.Held {
        let proposal = try await users.review?.proposal(1)
        let publications = try Publisher(folder: desk.content, releaseDirectory: desk.release)
            .publications()
        let entries = try await users.administration?.entries() ?? []
        let commits = try git("log", "--format=%s").split(separator: "\n")
        let corrections = try? desk.folder.text("content/exams/int/made/corrections.yaml")
        let status = try git("status", "--porcelain", "exams")
        let isCorrected = try desk.folder.text(Self.file) == Self.corrected
        let holds: [(WorkflowStep, Bool)] = [
            (.corrected, isCorrected), (.committed, commits.count > 1 && status.isEmpty),
            (.decided, proposal?.state == .confirmed && proposal?.proposedKey == "b"),
            (.released, publications.last?.release == 2),
            (.recorded, entries.contains { $0.action == .contentPublished && $0.subject == "2" }),
        ]
        return .init(
            steps: holds.filter(\.1).map(\.0),
            notes: corrections?.components(separatedBy: "question: q1").count.advanced(by: -1) ?? 0,
            commits: commits.count, releases: publications.count,
            entries: entries.reversed().map(\.action.rawValue).filter { !$0.hasPrefix("role") })
    }
}
