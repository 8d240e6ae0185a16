import UserData

/// A mistake that sync engines make; planted to prove that the simulation finds it.
package enum Mistake: String, CaseIterable, Sendable {
    case timestampCursor
    case answerBeforeRollback
    case dirtyFlagClearedInFlight
    case retryOnlyOnNextWrite
    case incrementReplayed
    case deleteAndInsertBecomeDelete
    case olderFieldBeatsNewer
    case rowDroppedOnTransientError
    case seenRevisionTakenAtPush
    case cursorKeptThoughRolledBack
    case serverBackInTimeUnnoticed
    case stateSavedAfterEffect
    case remoteDeleteEatsLocalEdit
    case lateCommits
    case partialRowFromUnknownColumn
    case anotherUsersQueuePushed
    case copyGoesUnnoticed
    case copiedAnswersDoubled
    case randomBranchNames
    case restOfAnswersAlwaysBranches
    case stepsNotSettled
    case randomStepBranches
    case settledNameGoesOn
    case unchangedFieldsSent
    case unseenOverwrittenBySettling
    case silentFieldLoss
    case nameBeforeAccount
    case writerKeptOverUsers
    case numberedAnewOnEntering
    case stepsCountedAnewOnEntering
    case unrelatedChangesFolded
    case copiedInsteadOfMoved
    case movedWithoutDifferences
    case movedOneOutlivesDeletion
    case waitingRetractionForgotten
    case takenBackTwice
}

extension Mistake {
    /// Returns the verdict of a server that makes this mistake.
    func judge(_ operation: ChangeOperation, _ record: UserRecord?, _ policy: Policy) -> Verdict {
        switch (self, operation.change) {
        case (.olderFieldBeatsNewer, .put(let values)) where policy == .fieldMerge:
            guard var worse = record else { break }
            for (name, value) in values {
                worse.fields[name] = UserRecord.Field(
                    value: value, time: operation.time, revision: 0, writer: operation.id)
            }
            worse.isDeleted = false
            return .write(worse, overwrote: false)
        case (.incrementReplayed, .count(let field, let tally)):
            var worse = MergeRules.applied(operation, to: record, policy: policy)
            var sum = record?.counterTotals[field]?[operation.id.client] ?? CounterTotals()
            sum.added += min(1, tally.added)
            worse.counterTotals[field]?[operation.id.client] = sum
            return .write(worse, overwrote: false)
        case (.silentFieldLoss, .put) where policy == .fieldMerge:
            switch MergeRules.judge(operation, on: record, policy: policy) {
            case .write(var worse, let overwrote):
                worse.overwrittenFields = [:]
                return .write(worse, overwrote: overwrote)
            case .writePart(var worse):
                worse.overwrittenFields = [:]
                return .write(worse, overwrote: false)
            case let verdict: return verdict
            }
        default: break
        }
        return MergeRules.judge(operation, on: record, policy: policy)
    }
}
