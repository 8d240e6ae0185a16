/// The network under a session: libcurl on Linux, URLSession elsewhere.
protocol TransferEngine: Sendable {
    /// True when replies arrive with their content encodings removed.
    var decodesBodies: Bool { get }
    /// Sends a request and fills the reply, until it ended or is stopped.
    func start(_ request: TransferRequest, _ address: WebAddress, _ reply: Reply)
    /// Resumes a reply that was full.
    func resume(_ reply: Reply)
    /// Ends a reply's transfer; nothing more arrives.
    func stop(_ reply: Reply)
    /// Ends all transfers and frees the engine's resources.
    func close()
}
