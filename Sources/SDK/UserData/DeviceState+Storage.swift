extension DeviceState {
    /// The scalar part of a state, stored in one row; the lists have rows of their own.
    package struct Scalars: Sendable, Hashable, Codable {
        var client: ClientID
        var nextCounter: UInt64
        var nextRequest: UInt64
        var clock: HybridClock
        var epoch: String?
        var cursor: UInt64
        var head: LogHead?
        var answers: AnswerVector
        var answersOnServer: AnswerVector
        var answerDigests: [ClientID: SetDigest]
        var answersDigestOnServer: SetDigest?
        var wantsSums: Bool
        var differingAnswerCount: Int
        var recovery: Recovery?
        var detachedCount: Int
        var isCopied: Bool
        var lastAnswerSent: UInt64
        var writerCount: Int
    }

    /// The scalar part of the state.
    package var scalars: Scalars {
        Scalars(
            client: client, nextCounter: nextCounter, nextRequest: nextRequest, clock: clock,
            epoch: epoch, cursor: cursor, head: head, answers: answers,
            answersOnServer: answersOnServer, answerDigests: answerDigests,
            answersDigestOnServer: answersDigestOnServer, wantsSums: wantsSums,
            differingAnswerCount: differingAnswerCount, recovery: recovery,
            detachedCount: detachedCount, isCopied: isCopied, lastAnswerSent: lastAnswerSent,
            writerCount: writerCount)
    }

    /// The lists of a state, stored in one row per element.
    package struct Lists: Sendable {
        /// The server's records, as far as they are known.
        package var bases: [RecordKey: UserRecord] = [:]
        /// The records known before the log is read from its start.
        package var recordsBeforeRebuild: [RecordKey: UserRecord] = [:]
        /// Pending changes, in any order.
        package var outbox: [PendingChange] = []
        /// Conflicts that the user must resolve, in any order.
        package var conflicts: [RecordConflict] = []
        /// Changes that the server rejected.
        package var rejected: [RejectedChange] = []
        /// Overwritten writes, in any order.
        package var notices: [ReplacementNotice] = []

        /// Creates empty lists.
        package init() {}
    }

    /// Restores a state from its stored parts.
    ///
    /// Changes made with an older schema version of their collection are sent as they are; the
    /// server accepts them, or they are rejected and shown to the user.
    /// - Parameters:
    ///   - user: The user's id.
    ///   - declarations: The collections as the app declares them now.
    ///   - scalars: The scalar part.
    ///   - lists: The lists.
    package init(
        user: String, declarations: [CollectionDeclaration], scalars: Scalars, lists: Lists
    ) {
        self.init(user: user, client: scalars.client, declarations: declarations)
        nextCounter = scalars.nextCounter
        nextRequest = scalars.nextRequest
        clock = scalars.clock
        epoch = scalars.epoch
        cursor = scalars.cursor
        head = scalars.head
        answers = scalars.answers
        answersOnServer = scalars.answersOnServer
        answerDigests = scalars.answerDigests
        answersDigestOnServer = scalars.answersDigestOnServer
        wantsSums = scalars.wantsSums
        differingAnswerCount = scalars.differingAnswerCount
        recovery = scalars.recovery
        detachedCount = scalars.detachedCount
        isCopied = scalars.isCopied
        writerCount = scalars.writerCount
        lastAnswerSent = scalars.lastAnswerSent
        bases = lists.bases
        recordsBeforeRebuild = lists.recordsBeforeRebuild
        outbox = lists.outbox.sorted {
            ($0.isOffer ? 0 : 1, $0.operation.id) < ($1.isOffer ? 0 : 1, $1.operation.id)
        }
        conflicts = lists.conflicts.sorted { $0.mine.id < $1.mine.id }
        rejected = lists.rejected.sorted { $0.operation.id < $1.operation.id }
        notices = lists.notices.sorted { $0.isBefore($1) }
    }
}
