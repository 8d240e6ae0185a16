extension DeviceState {
    /// What a store keeps of a state in one row, beside the rows of its lists.
    public struct Scalars: Sendable, Hashable, Codable {
        var client: ClientID
        var nextCounter: UInt64
        var nextRequest: UInt64
        var clock: HybridClock
        var epoch: String?
        var cursor: UInt64
        var head: LogHead?
        var answers: AnswerVector
        var answersOnServer: AnswerVector
        var recovery: Recovery?
        // Stores of earlier versions do not have these.
        var detachedCount: Int?
        var isCopied: Bool?
        var lastAnswerSent: UInt64?
        var isRenamedWhenSent: Bool?
    }

    /// What goes into one row.
    public var scalars: Scalars {
        Scalars(
            client: client, nextCounter: nextCounter, nextRequest: nextRequest, clock: clock,
            epoch: epoch, cursor: cursor, head: head, answers: answers,
            answersOnServer: answersOnServer, recovery: recovery,
            detachedCount: detachedCount > 0 ? detachedCount : nil,
            isCopied: isCopied ? true : nil, lastAnswerSent: lastAnswerSent,
            isRenamedWhenSent: isRenamedWhenSent ? true : nil)
    }

    /// What goes into a row each.
    public struct Lists: Sendable {
        /// What the server has.
        public var bases: [RecordKey: UserRecord] = [:]
        /// What was known before the log is read anew.
        public var recordsBeforeRebuild: [RecordKey: UserRecord] = [:]
        /// Changes on their way, in any order.
        public var outbox: [Pending] = []
        /// What the user has to settle, in any order.
        public var conflicts: [Conflict] = []
        /// What the server does not take.
        public var rejected: [Rejected] = []
        /// Writes that lost, in any order.
        public var notices: [Notice] = []

        /// Nothing yet.
        public init() {}
    }

    /// Puts a state together again.
    ///
    /// Changes that were made with an older version of their fields go out as they are; the server
    /// takes them, or they are set aside where the user sees them.
    /// - Parameters:
    ///   - user: Whose it is.
    ///   - declarations: The collections as the app declares them now.
    ///   - scalars: The row.
    ///   - lists: The rows of the lists.
    public init(
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
        recovery = scalars.recovery
        detachedCount = scalars.detachedCount ?? 0
        isCopied = scalars.isCopied ?? false
        isRenamedWhenSent = scalars.isRenamedWhenSent ?? false
        lastAnswerSent = scalars.lastAnswerSent ?? scalars.answers[scalars.client]
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
