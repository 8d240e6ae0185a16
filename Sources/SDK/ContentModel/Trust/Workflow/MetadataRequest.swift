/// A metadata file that the next step of the workflow requires.
///
/// ```swift
/// func fetch(_ request: MetadataRequest) -> String {
///     "\(address)metadata/\(request.path), at most \(request.bytesMax) bytes"
/// }
/// ```
public struct MetadataRequest: Hashable, Sendable {
    /// The name of the role.
    public let role: String
    /// The version in the file's name; `nil` for a file without one.
    public let version: Int?
    /// The maximum number of bytes to fetch: stop reading from a host that sends more.
    public let bytesMax: Int

    /// The percent-encoded path below the address of metadata, such as `42.snapshot.json` (TUF 6.2.1).
    public var path: String {
        (version.map { "\($0)." } ?? "") + role.percentEncodedPart + ".json"
    }
}
