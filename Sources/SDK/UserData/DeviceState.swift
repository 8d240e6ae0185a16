/// The durable state of a device, stored in one transaction with what it shows.
package struct DeviceState: Sendable, Hashable, Codable {
    /// The user's name until there is an account.
    package static let localUser = "local"
    /// The maximum number of names of processes for the local user; later ones continue under the newest.
    package static let writersMax = 200

    /// The id of the user who owns the data.
    package let user: String
    /// The name of this store in the account; a new one after the store proves to be a copy.
    ///
    /// For the local user, the name of the process that wrote last.
    package var client: ClientID
    /// The number of names that processes created for the local user.
    package var writerCount = 0
    /// True for the local user, before any sign-in.
    package var isLocal: Bool { user == Self.localUser }
    /// The declared collections by name.
    package var declarations: [String: CollectionDeclaration]
    /// The counter of the next operation.
    package var nextCounter: UInt64 = 1
    /// The number of the next request.
    package var nextRequest: UInt64 = 1
    /// The device's hybrid clock.
    package var clock = HybridClock()
    /// The epoch of the server that `cursor` belongs to; `nil` before the first reply.
    package var epoch: String?
    /// The last position of the user's log that this device has read.
    package var cursor: UInt64 = 0
    /// The newest head of the log that the device knows of.
    package var head: LogHead?
    /// The server's records, as far as they are known.
    package var bases: [RecordKey: UserRecord] = [:]
    /// The answers stored on this device, its own and those of others.
    package var answers = AnswerVector()
    /// The digest of each device's answers that are stored here.
    package var answerDigests: [ClientID: SetDigest] = [:]
    /// The answers stored on the server, by its last reply.
    package var answersOnServer = AnswerVector()
    /// The digest of these answers; `nil` when the last reply had none.
    package var answersDigestOnServer: SetDigest?
    /// True while the digests of answers differ, so that the next request asks for one per device.
    package var wantsSums = false
    /// The number of answers in which device and server still differ after all repairs.
    package var differingAnswerCount = 0
    /// Pending operations: offers first, then changes in the order in which they were made.
    package var outbox: [PendingChange] = []
    /// Conflicts that the user must resolve.
    package var conflicts: [RecordConflict] = []
    /// Changes that the server rejected.
    package var rejected: [RejectedChange] = []
    /// Overwritten writes of this device, oldest first, until the user dismisses them.
    package var notices: [ReplacementNotice] = []
    /// The records known before the log is read from its start, shown until it is read.
    package var recordsBeforeRebuild: [RecordKey: UserRecord] = [:]
    /// The sequence number of the last own answer that was part of a request.
    package var lastAnswerSent: UInt64 = 0
    /// The number of own answers without a sequence number.
    ///
    /// They come from a copied store and await a comparison with the server's answers of the former identity.
    package var detachedCount = 0
    /// True while a copied store, or one that the server does not accept as this device, resolves its pending changes
    /// under its name, before it gets another.
    package var isCopied = false
    /// The reason for reading the log from its start; `nil` in normal operation.
    package var recovery: Recovery?
    /// True while the log is read from its start.
    package var isRecovering: Bool { recovery != nil }

    /// A reason for reading the log from its start.
    package enum Recovery: String, Sendable, Hashable, Codable {
        /// The server was restored from a backup: records that it lost are offered to it.
        case serverWentBack
        /// The device was offline for longer than tombstones are stored: records that the server
        /// lacks were deleted.
        case deviceSleptTooLong
        /// Another account was moved into this one: its records are shown until the server's arrive.
        case accountWasMoved
    }

    /// Creates a device without data.
    package init(user: String, client: ClientID, declarations: [CollectionDeclaration]) {
        self.user = user
        self.client = client
        self.declarations = Dictionary(
            declarations.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// The number of changes and answers that the server does not have yet.
    package var waitingCount: Int {
        answers.beyond(answersOnServer).reduce(outbox.count + detachedCount) { $0 + $1.count }
    }

    /// True when the last reply confirms that the server has exactly the answers of this device.
    package var hasSameAnswers: Bool {
        guard answers == answersOnServer else { return false }
        return answers.total == 0 || answersDigestOnServer == answerDigests.values.joined
    }

    /// True when everything is on the server and no decision of the user is pending.
    package var isSynced: Bool {
        outbox.isEmpty && conflicts.isEmpty && rejected.isEmpty && !isRecovering && !isCopied
            && detachedCount == 0 && hasSameAnswers
    }
}
