import PostgresDriver
import Testing

@Suite struct RetryTests {
    private func decisions(
        _ codes: [SQLState], phase: PostgresError.Phase = .executing, isReadOnly: Bool = false,
        usesNames: Bool = false, policy: RetryPolicy = RetryPolicy()
    ) -> [RetryState.Decision] {
        var state = RetryState(policy, usesNames: usesNames)
        return codes.map {
            state.failed(PostgresError($0, phase), isReadOnly: isReadOnly, chance: 0)
        }
    }

    private let again = RetryState.Decision.repeatAfter(.milliseconds(5))
    private let elsewhere = RetryState.Decision.repeatElsewhere(after: .milliseconds(5))

    @Test(arguments: [SQLState.serializationFailure, .deadlock])
    func conflictsAreRepeatedThreeTimes(code: SQLState) {
        #expect(decisions([code, code, code, code]) == [again, again, again, .fail])
    }

    @Test(arguments: [
        SQLState.connectionLost, .adminShutdown, .crashShutdown, .cannotConnectNow, .replyOverdue,
    ])
    func aLossBeforeTheCommitIsRepeatedOnce(code: SQLState) {
        #expect(decisions([code, code]) == [elsewhere, .fail])
        #expect(decisions([code], phase: .connecting) == [elsewhere])
    }

    @Test(arguments: [
        SQLState.connectionLost, .adminShutdown, .replyOverdue, .serializationFailure,
    ])
    func nothingIsRepeatedWhenTheOutcomeIsUnknown(code: SQLState) {
        #expect(decisions([code], phase: .committing) == [.fail])
        #expect(PostgresError(code, .committing).isOutcomeUnknown)
    }

    /// Whatever became of it, it changed nothing.
    @Test func aReadOnlyTransactionIsRepeatedAfterItsCommitWasSent() {
        let losses = [SQLState.connectionLost, .adminShutdown]
        #expect(
            decisions(losses, phase: .committing, isReadOnly: true) == [elsewhere, .fail])
    }

    @Test func aServerThatBecameReadOnlyIsLeft() {
        #expect(decisions([.readOnlyTransaction]) == [elsewhere])
        #expect(decisions([.readOnlyTransaction], isReadOnly: true) == [.fail])
    }

    @Test(arguments: [SQLState.duplicateStatementName, .unknownStatementName, .featureNotSupported])
    func namesAreGivenUpOnce(code: SQLState) {
        #expect(decisions([code, code], usesNames: true) == [.repeatAfter(.zero), .fail])
        #expect(decisions([code]) == [.fail])
    }

    @Test(arguments: [
        SQLState.lockNotAvailable, .statementCancelled, .tooManyConnections, .diskFull,
        .outOfMemory,
        .undefinedTable, .undefinedColumn, .undefinedFunction, .insufficientPrivilege,
        .foreignKeyViolation, .uniqueViolation, .checkViolation, .invalidTextRepresentation,
        .characterNotInRepertoire, .untranslatableCharacter, .transactionFailed, .dataCorrupted,
    ])
    func theRestIsReported(code: SQLState) {
        #expect(decisions([code], usesNames: true) == [.fail])
    }

    @Test func nothingIsRepeatedByAPolicyWithoutRepetitions() {
        for code in [SQLState.deadlock, .connectionLost, .unknownStatementName] {
            #expect(decisions([code], usesNames: true, policy: .never) == [.fail])
        }
    }

    @Test func whoeverGotNoConnectionIsNotRepeated() {
        #expect(decisions([.poolBusy], phase: .waiting) == [.fail])
    }

    @Test func theDelayIsAPartOfTheRange() {
        for (chance, delay) in [(0.0, 5), (0.5, 27.5), (1.0, 50)] {
            var state = RetryState(RetryPolicy())
            let decision = state.failed(PostgresError(.deadlock, .executing), chance: chance)
            #expect(decision == .repeatAfter(.milliseconds(delay)))
        }
    }
}
