import Foundation
import ServiceAPI
import WebTransfer

/// The location of an issuer's keys: a file, or an https address.
struct IssuerKeySource: Sendable {
    private let url: URL
    private let isAllowed: Bool

    init(_ issuer: ExternalIssuer) {
        url = issuer.keys
        isAllowed = Self.isAllowed(issuer.keys, plainLoopback: issuer.allowsPlainLoopback)
    }

    /// Returns true if keys may come from a URL: an attacker could change plain http in transit, and then sign as the
    /// issuer.
    private static func isAllowed(_ url: URL, plainLoopback: Bool) -> Bool {
        switch url.scheme?.lowercased() {
        case "file", "https": true
        case "http": plainLoopback && ["127.0.0.1", "::1", "localhost"].contains(url.host() ?? "")
        default: false
        }
    }

    /// Reads the keys; `nil` when that fails or takes longer than ten seconds.
    func read() async -> Data? {
        guard isAllowed else { return nil }
        guard !url.isFileURL else { return readFile() }
        let url = url.absoluteString
        return await Self.within(.seconds(10)) {
            // Plain http is allowed for this machine alone, as was checked.
            let session = TransferSession(
                userAgent: "underway", idleTimeout: 10, allowsInsecureHTTP: true)
            let response = try await session.send(
                TransferRequest(url: url, bodyBytesMax: ServiceLimits.issuerKeysBytesMax))
            guard response.head.status == 200 else { return nil }
            return Data(try await response.body.collect())
        }
    }

    /// Returns the result of the body; `nil` when it fails, or when it exceeds the time limit and
    /// is cancelled.
    private static func within(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> Data?
    ) async -> Data? {
        await withTaskGroup(of: Data?.self) { group in
            group.addTask { try? await body() }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func readFile() -> Data? {
        // A file that cannot be read is a failure like any other.
        guard let data = try? Data(contentsOf: url),
            data.count <= ServiceLimits.issuerKeysBytesMax
        else { return nil }
        return data
    }
}
