public import Foundation
import WebTransfer

/// A request for an asset to its source.
///
/// ```swift
/// let query = AssetQuery(known: AssetTag(entityTag: "\"v1\""), bytesMax: 4096)
/// print(query.bytesMax)
/// ```
public struct AssetQuery: Sendable, Hashable {
    /// The present version of the asset, which the source need not send again.
    public var known: AssetTag?
    /// The maximum length of the asset, in bytes.
    public var bytesMax: Int

    /// Creates a query.
    public init(known: AssetTag?, bytesMax: Int) {
        self.known = known
        self.bytesMax = bytesMax
    }
}

/// The reply of a source.
///
/// ```swift
/// let delivery = AssetDelivery.data(Data("{}".utf8), AssetTag(entityTag: "\"v2\""))
/// print(delivery == .unchanged)  // false
/// ```
public enum AssetDelivery: Sendable, Hashable {
    /// The asset already has the newest version.
    case unchanged
    /// The newest bytes and their tag.
    case data(Data, AssetTag)
}

/// The source of an asset's bytes, and of signals that new ones may exist.
///
/// ```swift
/// let url = try URL(address: "https://host.example/policy.json")
/// let provider = DataProvider.http(url).retry().autoRefresh(every: .seconds(3600))
/// if case .data(let data, _)? = try? await provider(AssetQuery(known: nil, bytesMax: 4096)) {
///     print(data.count)
/// }
/// ```
public struct DataProvider: Sendable {
    private let load: @Sendable (AssetQuery) async throws -> AssetDelivery
    /// The streams of moments at which a new version may exist.
    let signals: [@Sendable () -> AsyncStream<Void>]

    /// Creates a source of the app's own code.
    ///
    /// - Parameter load: Replies to a query; throws on failure.
    public init(_ load: @escaping @Sendable (AssetQuery) async throws -> AssetDelivery) {
        self.init(signals: [], load)
    }

    private init(
        signals: [@Sendable () -> AsyncStream<Void>],
        _ load: @escaping @Sendable (AssetQuery) async throws -> AssetDelivery
    ) {
        self.load = load
        self.signals = signals
    }

    /// Queries the source once.
    ///
    /// - Parameter query: The known version.
    /// - Returns: The newest version.
    /// - Throws: `AssetError`, or an error of the app's own source.
    public func callAsFunction(_ query: AssetQuery) async throws -> AssetDelivery {
        try await load(query)
    }

    /// Returns a source that is also queried at each element of a stream.
    public func refreshed(
        by signal: @escaping @Sendable () -> AsyncStream<Void>
    ) -> DataProvider {
        DataProvider(signals: signals + [signal], load)
    }

    /// Returns a source that is also queried at intervals.
    ///
    /// - Parameters:
    ///   - interval: The interval between two queries.
    ///   - sleep: The function that waits, replaceable by tests.
    /// - Returns: The same source with more queries.
    public func autoRefresh(
        every interval: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) -> DataProvider {
        refreshed {
            AsyncStream {
                // Cancelled with the task that follows the asset, which ends the stream.
                try? await sleep(interval)
                return Task.isCancelled ? nil : ()
            }
        }
    }

    /// Returns a source that retries after a transient failure.
    ///
    /// The wait doubles each time; a longer one that the server requests, up to a minute, is respected.
    /// - Parameters:
    ///   - count: The maximum number of retries.
    ///   - backoff: The first wait.
    ///   - sleep: The function that waits, replaceable by tests.
    /// - Returns: The same source with retries.
    public func retry(
        _ count: Int = 2, backoff: Duration = .milliseconds(500),
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) -> DataProvider {
        DataProvider(signals: signals) { query in
            var wait = backoff
            for _ in 0..<count {
                do {
                    return try await load(query)
                } catch let error as AssetError
                    where error.isTransient && error.retryAfter ?? .zero <= .seconds(60)
                {
                    try await sleep(max(wait, error.retryAfter ?? .zero))
                    wait *= 2
                }
            }
            return try await load(query)
        }
    }

    /// Returns a source whose bytes are transformed, such as decompressed.
    public func map(_ transform: @escaping @Sendable (Data) throws -> Data) -> DataProvider {
        DataProvider(signals: signals) { query in
            guard case .data(let data, let tag) = try await load(query) else { return .unchanged }
            return .data(try transform(data), tag)
        }
    }
}

extension DataProvider {
    /// Returns a file of this device as a source, such as one that another program writes.
    ///
    /// Its modification time and length are its version.
    public static func file(_ url: URL) -> DataProvider {
        DataProvider { query in
            let values = try? url.resourceValues(
                forKeys: [.contentModificationDateKey, .fileSizeKey])
            guard let size = values?.fileSize, let date = values?.contentModificationDate else {
                throw AssetError(.notFound, "There is no file \(url.lastPathComponent). Add it.")
            }
            guard size <= query.bytesMax else { throw AssetError.tooLong(query.bytesMax) }
            let tag = AssetTag(entityTag: "\(size)-\(date.timeIntervalSince1970)")
            return tag == query.known ? .unchanged : .data(try Data(contentsOf: url), tag)
        }
    }

    /// Returns an address as a source, queried with the entity tag of the present version (RFC 9110, section 13.1.2).
    public static func http(
        _ url: URL, over transport: AssetTransport = .urlSession
    ) -> DataProvider {
        DataProvider { query in
            var headers: [String: String] = [:]
            headers["If-None-Match"] = query.known?.entityTag
            let response = try await transport(
                AssetRequest(url: url, headers: headers, bytesMax: query.bytesMax))
            return try response.delivery(to: query)
        }
    }
}

extension AssetResponse {
    fileprivate func delivery(to query: AssetQuery) throws -> AssetDelivery {
        switch status {
        case 200:
            guard body.count <= query.bytesMax else { throw AssetError.tooLong(query.bytesMax) }
            if headers["content-encoding"] == nil, let declared = headers["content-length"],
                Int(declared) != body.count
            {
                throw AssetError(
                    .offline, "It ended after \(body.count) of \(declared) bytes. Try again.")
            }
            return .data(body, AssetTag(entityTag: EntityTag.usable(in: headers)))
        case 304 where query.known?.entityTag != nil: return .unchanged
        case 404, 410:
            throw AssetError(
                .notFound, "The server answered with status \(status). Is the address right?")
        default:
            throw AssetError(
                .serverError, "The server answered with status \(status). Try again later.",
                retryAfter: RetryAfter.wait(in: headers, now: Date()))
        }
    }
}

extension AssetError {
    static func tooLong(_ bytesMax: Int) -> AssetError {
        AssetError(.tooLong, "It has more than \(bytesMax) bytes. Publish a smaller one.")
    }
}
