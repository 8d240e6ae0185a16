extension Question {
    /// The version in sessions, answers and corrections: the checksum of the question's canonical bytes.
    public var contentVersion: String { Checksum(of: json.canonicalBytes).description }
}
