extension Question {
    /// The version that sessions, answers and corrections name: the checksum of the question's canonical bytes.
    public var contentVersion: String { Checksum(of: json.canonicalBytes).description }
}
