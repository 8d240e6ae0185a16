public import Foundation

/// Makes a value of bytes, or throws: then what was shown before stays.
public struct Materializer<Value: Sendable>: Sendable {
    /// The most bytes that are accepted, and so downloaded.
    public let bytesMax: Int
    private let make: @Sendable (Data, _ note: (String) -> Void) throws -> Value

    /// The bytes of an asset where nothing else is said: 16 MiB.
    public static var bytesMaxDefault: Int { 16 << 20 }

    /// Makes values in the app's own way.
    ///
    /// - Parameters:
    ///   - bytesMax: The most bytes that are accepted.
    ///   - make: Gets the bytes and a way to note what it left out; throws to refuse them.
    public init(
        bytesMax: Int = bytesMaxDefault,
        _ make: @escaping @Sendable (Data, _ note: (String) -> Void) throws -> Value
    ) {
        self.bytesMax = bytesMax
        self.make = make
    }

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - note: Told what was left out.
    /// - Returns: The value.
    /// - Throws: `AssetError` `tooLong`, or what the making throws.
    public func callAsFunction(
        _ data: Data, note: (String) -> Void = { _ in }
    ) throws -> Value {
        guard data.count <= bytesMax else {
            throw AssetError(.tooLong, "It has \(data.count) bytes; at most \(bytesMax) are used.")
        }
        return try make(data, note)
    }

    /// Makes something else of each value; may refuse it.
    public func map<Other>(
        _ transform: @escaping @Sendable (Value) throws -> Other
    ) -> Materializer<Other> {
        Materializer<Other>(bytesMax: bytesMax) { try transform(make($0, $1)) }
    }

    /// Lets the app judge each value before it is kept and shown; throws to refuse it.
    public func accepting(
        _ judge: @escaping @Sendable (Value) throws -> Void
    ) -> Materializer {
        map { value in
            try judge(value)
            return value
        }
    }

    /// The same for files of another size.
    public func limited(to bytesMax: Int) -> Materializer {
        Materializer(bytesMax: bytesMax, make)
    }
}
