public import Foundation

/// A conversion of bytes to a value; if it throws, the bytes are rejected and the previous value remains.
///
/// ```swift
/// struct Policy: Codable { var url: String }
/// let materializer = Materializer<Policy>.json().limited(to: 64 << 10).accepting { policy in
///     guard policy.url.hasPrefix("https://") else {
///         throw AssetError(.refused, "The link is not secure.")
///     }
/// }
/// print(try materializer(Data(#"{"url": "https://example.org"}"#.utf8)).url)
/// ```
public struct Materializer<Value: Sendable>: Sendable {
    /// The maximum number of bytes that are downloaded and accepted.
    public let bytesMax: Int
    private let make: @Sendable (Data, _ note: (String) -> Void) throws -> Value

    /// The default maximum of an asset: 16 MiB.
    public static var bytesMaxDefault: Int { 16 << 20 }

    /// Creates a materializer of the app's own conversion.
    ///
    /// - Parameters:
    ///   - bytesMax: The maximum number of bytes that are accepted.
    ///   - make: Converts bytes; notes the parts that it ignores, and throws to reject the bytes.
    public init(
        bytesMax: Int = bytesMaxDefault,
        _ make: @escaping @Sendable (Data, _ note: (String) -> Void) throws -> Value
    ) {
        self.bytesMax = bytesMax
        self.make = make
    }

    /// Converts bytes to a value.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - note: Receives the ignored parts.
    /// - Returns: The value.
    /// - Throws: `AssetError` `tooLong`, or the error of the conversion.
    public func callAsFunction(
        _ data: Data, note: (String) -> Void = { _ in }
    ) throws -> Value {
        guard data.count <= bytesMax else {
            throw AssetError(
                .tooLong,
                "It has \(data.count) bytes; at most \(bytesMax) are used. Publish a smaller one.")
        }
        return try make(data, note)
    }

    /// Returns a materializer that transforms each value, and may reject it.
    public func map<Other>(
        _ transform: @escaping @Sendable (Value) throws -> Other
    ) -> Materializer<Other> {
        Materializer<Other>(bytesMax: bytesMax) { try transform(make($0, $1)) }
    }

    /// Returns a materializer with an additional check by the app, which throws to reject a value before it is stored
    /// and shown.
    public func accepting(
        _ check: @escaping @Sendable (Value) throws -> Void
    ) -> Materializer {
        map { value in
            try check(value)
            return value
        }
    }

    /// Returns the same materializer with another maximum length.
    public func limited(to bytesMax: Int) -> Materializer {
        Materializer(bytesMax: bytesMax, make)
    }
}
