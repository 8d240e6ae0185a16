/// Why a whole file could not be imported.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// What is wrong with it.
    public var reason: String

    init(_ file: String, _ reason: String) {
        self.file = file
        self.reason = reason
    }

    /// The file and the reason.
    public var description: String { "\(file) \(reason)." }
}
