package import ServiceAPI
package import UserData

/// The read set of a decision about an account, named before its transaction begins.
package struct LedgerReadSet: Sendable, Hashable {
    /// The page of the log that a device requests.
    package struct PageKey: Sendable, Hashable {
        /// The last position that the device knows.
        package var after: UInt64
        /// The number of records after which the page ends with the current request.
        package var recordsMax: Int
        /// The number of bytes of JSON after which the page ends with the current request.
        package var bytesMax: Int

        package init(after: UInt64, recordsMax: Int, bytesMax: Int) {
            self.after = after
            self.recordsMax = recordsMax
            self.bytesMax = bytesMax
        }
    }

    /// The account.
    package var user: String
    /// The requesting device.
    package var client: ClientID
    /// The sequence numbers of the device's operations whose results are read.
    package var counters: Set<UInt64> = []
    /// The sequence number below which all results count as processed, whatever is stored.
    package var firstUnread: UInt64 = 0
    /// True to count the unprocessed results of each device; otherwise only the requesting device's are counted, and
    /// for others one is enough.
    package var listsDevices = false
    /// The records that operations concern.
    package var records: Set<RecordKey> = []
    /// The page of the log; `nil` for none.
    package var page: PageKey?
    /// The position whose mark is compared; `nil` for none.
    package var head: UInt64?
    /// The runs of the device's own answers that are compared with the stored answers.
    package var runs: [AnswerSpan] = []
    /// True when the request contains runs of answers, of any device.
    package var bringsAnswers = false
    /// The numbers of these answers, for which stored retractions may wait.
    package var broughtAnswers: [AnswerSpan] = []
    /// The answers that retractions among them name.
    package var retracted: [AnswerID] = []
    /// The wall clock, in milliseconds since 1970, for the storage's own timestamps.
    package var now: Int64

    /// Adds runs of answers that the request contains.
    package mutating func bring(_ runs: [AnswerColumns]) {
        bringsAnswers = !runs.isEmpty
        broughtAnswers = runs.map(\.span)
        retracted = runs.flatMap(\.encoded.retractionTargets)
    }

    package init(user: String, client: ClientID, now: Int64) {
        self.user = user
        self.client = client
        self.now = now
    }
}
