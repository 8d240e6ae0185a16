/// A failure to import a whole file.
public struct ImportError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// The kind of the reason.
    public var code: ImportCode
    /// The reason.
    public var reason: String

    init(_ file: String, _ code: ImportCode, _ reason: String) {
        self.file = file
        self.code = code
        self.reason = reason
    }

    /// The file and the reason.
    public var description: String { "\(file) \(reason)." }
}
