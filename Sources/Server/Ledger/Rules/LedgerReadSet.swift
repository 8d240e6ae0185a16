package import UserData

/// All that a decision needs to see of an account, named before its transaction begins.
package struct LedgerReadSet: Sendable, Hashable {
    /// The page of the log that a device asks for.
    package struct PageKey: Sendable, Hashable {
        /// The last position that the device has.
        package var after: UInt64
        /// The number of records after which the page ends with the next whole request.
        package var recordsMax: Int
        /// The number of bytes of JSON after which it does.
        package var bytesMax: Int

        package init(after: UInt64, recordsMax: Int, bytesMax: Int) {
            self.after = after
            self.recordsMax = recordsMax
            self.bytesMax = bytesMax
        }
    }

    /// The account.
    package var user: String
    /// The device that asks.
    package var client: ClientID
    /// The sequence numbers of the device's operations whose results are looked up.
    package var counters: Set<UInt64> = []
    /// The device's results below this number count as processed, whatever is stored.
    package var firstUnread: UInt64 = 0
    /// True to count the unread results of each device; else only those of the device that asks need be counted, and of
    /// another one whether there are any.
    package var listsDevices = false
    /// The records that are judged.
    package var records: Set<RecordKey> = []
    /// The page of the log; `nil` for none.
    package var page: PageKey?
    /// A position whose mark is compared; `nil` for none.
    package var head: UInt64?
    /// The runs of the device's own answers that are compared with the stored ones.
    package var runs: [AnswerSpan] = []
    /// True when the request has runs of answers, of any device.
    package var bringsAnswers = false
    /// The wall clock, in milliseconds since 1970, for what the storage itself notes.
    package var now: Int64

    package init(user: String, client: ClientID, now: Int64) {
        self.user = user
        self.client = client
        self.now = now
    }
}
