public import Foundation
import WebTransfer

/// What an asset asks its source for.
public struct AssetQuery: Sendable, Hashable {
    /// What the asset has now; an equal state need not be sent again.
    public var known: AssetTag?
    /// The most bytes that are of use.
    public var bytesMax: Int

    /// Describes a question.
    public init(known: AssetTag?, bytesMax: Int) {
        self.known = known
        self.bytesMax = bytesMax
    }
}

/// What a source answers.
public enum AssetDelivery: Sendable, Hashable {
    /// What the asset has is the newest.
    case unchanged
    /// The newest bytes and their tag.
    case data(Data, AssetTag)
}

/// Where the bytes of an asset come from, and when it is worth asking again.
public struct DataProvider: Sendable {
    private let load: @Sendable (AssetQuery) async throws -> AssetDelivery
    /// Each gives a stream of moments at which something may be new.
    let signals: [@Sendable () -> AsyncStream<Void>]

    /// Makes a source of the app's own.
    ///
    /// - Parameter load: Answers one question; throws when it cannot.
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

    /// Asks once.
    ///
    /// - Parameter query: What is known.
    /// - Returns: The newest state.
    /// - Throws: `AssetError`, or what the source throws.
    public func callAsFunction(_ query: AssetQuery) async throws -> AssetDelivery {
        try await load(query)
    }

    /// Also asks whenever a stream gives an element.
    public func refreshed(
        by signal: @escaping @Sendable () -> AsyncStream<Void>
    ) -> DataProvider {
        DataProvider(signals: signals + [signal], load)
    }

    /// Also asks again and again.
    ///
    /// - Parameters:
    ///   - interval: The wait between two questions.
    ///   - sleep: Waits; tests wait in their own way.
    /// - Returns: The same source, asked more often.
    public func autoRefresh(
        every interval: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) -> DataProvider {
        refreshed {
            AsyncStream {
                // Cancelled with the task that follows the asset; then there is no next moment.
                try? await sleep(interval)
                return Task.isCancelled ? nil : ()
            }
        }
    }

    /// Asks again when there is no answer, or a broken one.
    ///
    /// The wait doubles each time; where the server asks for a longer one, up to a minute, it is that.
    /// - Parameters:
    ///   - count: How many times to ask again.
    ///   - backoff: The first wait.
    ///   - sleep: Waits; tests wait in their own way.
    /// - Returns: The same source, asked harder.
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

    /// Makes other bytes of those that arrive, such as unpacked ones.
    public func map(_ transform: @escaping @Sendable (Data) throws -> Data) -> DataProvider {
        DataProvider(signals: signals) { query in
            guard case .data(let data, let tag) = try await load(query) else { return .unchanged }
            return .data(try transform(data), tag)
        }
    }
}

extension DataProvider {
    /// A file of this device, such as one that another program writes.
    ///
    /// Its time of change and length stand for its state.
    public static func file(_ url: URL) -> DataProvider {
        DataProvider { query in
            let values = try? url.resourceValues(
                forKeys: [.contentModificationDateKey, .fileSizeKey])
            guard let size = values?.fileSize, let date = values?.contentModificationDate else {
                throw AssetError(.notFound, "There is no file \(url.lastPathComponent).")
            }
            guard size <= query.bytesMax else { throw AssetError.tooLong(query.bytesMax) }
            let tag = AssetTag(entityTag: "\(size)-\(date.timeIntervalSince1970)")
            return tag == query.known ? .unchanged : .data(try Data(contentsOf: url), tag)
        }
    }

    /// An address, asked for with the entity tag of what is here (RFC 9110, section 13.1.2).
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
                throw AssetError(.offline, "It ended after \(body.count) of \(declared) bytes.")
            }
            return .data(body, AssetTag(entityTag: EntityTag.usable(in: headers)))
        case 304 where query.known?.entityTag != nil: return .unchanged
        case 404, 410: throw AssetError(.notFound, "The server answered with status \(status).")
        default:
            throw AssetError(
                .serverError, "The server answered with status \(status).",
                retryAfter: RetryAfter.wait(in: headers, now: Date()))
        }
    }
}

extension AssetError {
    static func tooLong(_ bytesMax: Int) -> AssetError {
        AssetError(.tooLong, "It has more than \(bytesMax) bytes.")
    }
}
