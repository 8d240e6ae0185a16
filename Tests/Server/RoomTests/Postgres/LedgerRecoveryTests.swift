import PostgresDriver
import Testing
import UserData

@testable import Ledger
@testable import Tables

/// What follows a failure of PostgreSQL.
@Suite struct LedgerRecoveryTests {
    private func error(
        _ code: SQLState, _ phase: PostgresError.Phase = .executing
    ) -> PostgresError {
        PostgresError(code, phase)
    }

    private func isRepeated(_ failure: (any Error)?) -> Bool { failure == nil }

    @Test(
        arguments: [
            ("40001", .busy), ("40P01", .busy), ("55P03", .busy), ("57014", .busy),
            ("53300", .busy),
            ("08006", .unavailable), ("57P01", .unavailable), ("53100", .unavailable),
            ("53200", .unavailable), ("25006", .unavailable), ("58030", .unavailable),
            ("28P01", .unavailable), ("3D000", .unavailable),
            ("23503", .noAccount), ("UL001", .noAccount), ("UL002", .damaged("answers")),
            ("XX001", .damaged("database")), ("XX002", .damaged("database")),
        ] as [(String, StorageError)])
    func failuresHaveTheirMeaning(code: String, meaning: StorageError) {
        var recovery = LedgerRecovery()
        let failure = recovery.failed(error(SQLState(rawValue: code)))
        #expect(failure as? StorageError == meaning)
    }

    @Test(arguments: ["3F000", "42P01", "42703", "42883"])
    func aMissingTableIsAnOutdatedSchema(code: String) {
        var recovery = LedgerRecovery()
        guard
            case .outdatedSchema? = recovery.failed(error(SQLState(rawValue: code)))
                as? StorageError
        else {
            Issue.record("\(code)")
            return
        }
    }

    /// A missing policy or claim is a mistake of the program: an alarm, and no second trial.
    @Test(arguments: ["42501", "42601", "0A000"])
    func whatTheDatabaseRefusesIsNotTriedAgain(code: String) {
        var recovery = LedgerRecovery()
        let failure = recovery.failed(error(SQLState(rawValue: code)))
        #expect(
            failure as? StorageError
                == .refused("PostgreSQL \(code) while executing a statement"))
    }

    @Test func anUnknownOutcomeRunsAgain() {
        var recovery = LedgerRecovery()
        for _ in 0..<LedgerRecovery.unknownOutcomesMax {
            #expect(isRepeated(recovery.failed(error(.connectionLost, .committing))))
        }
        let last = recovery.failed(error(.connectionLost, .committing)) as? StorageError
        #expect(last == .unavailable)
    }

    @Test func aDuplicateRunsAgainOnce() {
        var recovery = LedgerRecovery()
        var duplicate = error(.uniqueViolation)
        duplicate.table = "answer"
        #expect(isRepeated(recovery.failed(duplicate)))
        #expect(recovery.failed(duplicate) as? StorageError == .damaged("answer"))
    }

    @Test(arguments: ["23502", "23514", "22021", "22P02", "22P05"])
    func aRefusedValueIsLookedForOnce(code: String) throws {
        var recovery = LedgerRecovery()
        let failure = error(SQLState(rawValue: code))
        #expect(isRepeated(recovery.failed(failure)) && recovery.asksForRefusals)
        try recovery.refused([RecordKey("c", "r")])
        #expect(recovery.rejected == [RecordKey("c", "r")])
        #expect(throws: StorageError.damaged("records")) {
            try recovery.refused([RecordKey("c", "r")])
        }
        #expect(recovery.failed(failure) as? StorageError == .damaged("records"))
    }
}
