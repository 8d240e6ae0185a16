import ContentServer
import Foundation
import JWTKit
import ServiceAPI

/// A cache of the public keys of one issuer, fetched on demand by one request at a time.
///
/// A failed fetch is retried only after a growing delay; until then the previous keys remain trusted.
actor IssuerKeys {
    private struct FetchedKeys {
        var keys: JWTKeyCollection
        var names: Set<String>
        var readAt: Date
    }

    /// The least time between two fetches for a missing key, in seconds.
    private static let missingKeyInterval: TimeInterval = 300
    /// The lifetime of fetched keys, in seconds, after which withdrawn ones disappear.
    private static let lifetime: TimeInterval = 86_400
    /// The first and the longest delay after a failure, in seconds; each failure doubles it.
    private static let retryDelays: (TimeInterval, TimeInterval) = (5, 300)

    private let source: IssuerKeySource
    private var fetched: FetchedKeys?
    private var failureCount = 0
    private var retryAt = Date.distantPast
    private var isFetching = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ issuer: ExternalIssuer) { source = IssuerKeySource(issuer) }

    /// Returns the issuer's keys if one of them has an id; else `nil`.
    ///
    /// - Throws: `RequestError` `busy` when they cannot be fetched now, or too many callers
    ///   wait.
    func keys(for kid: String, now: Date) async throws -> JWTKeyCollection? {
        if isUpToDate(for: kid, now) { return found(kid) }
        if isFetching {
            guard waiting.count < ServiceLimits.waitingForIssuerMax else { throw Self.busy(1) }
            await withCheckedContinuation { waiting.append($0) }
        } else if now >= retryAt || retryAt.timeIntervalSince(now) > Self.retryDelays.1 {
            await fetch(now)
        }
        if let keys = found(kid) { return keys }
        // Without keys the token can be neither accepted nor rejected.
        guard failureCount == 0 else { throw Self.busy(retryAt.timeIntervalSince(now)) }
        return nil
    }

    private func isUpToDate(for kid: String, _ now: Date) -> Bool {
        guard let fetched else { return false }
        let age = abs(now.timeIntervalSince(fetched.readAt))
        return age < (fetched.names.contains(kid) ? Self.lifetime : Self.missingKeyInterval)
    }

    private func found(_ kid: String) -> JWTKeyCollection? {
        fetched.flatMap { $0.names.contains(kid) ? $0.keys : nil }
    }

    private func fetch(_ now: Date) async {
        isFetching = true
        let fresh = await Self.read(source, now)
        isFetching = false
        if let fresh {
            (fetched, failureCount, retryAt) = (fresh, 0, .distantPast)
        } else {
            failureCount += 1
            let pause = Self.retryDelays.0 * pow(2, Double(min(failureCount, 10) - 1))
            retryAt = now.addingTimeInterval(min(pause, Self.retryDelays.1))
        }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    private static func read(_ source: IssuerKeySource, _ now: Date) async -> FetchedKeys? {
        // Unreadable keys are a failed fetch, whatever the reason.
        guard let bytes = await source.read(),
            let set = try? JSONDecoder().decode(JWKS.self, from: bytes),
            set.keys.count <= ServiceLimits.issuerKeysMax
        else { return nil }
        var fresh = FetchedKeys(keys: JWTKeyCollection(), names: [], readAt: now)
        for key in set.keys {
            guard let name = key.keyIdentifier?.string,
                [.rsa, .ecdsa, .octetKeyPair].contains(key.keyType),
                // A key of an unsupported kind is skipped.
                (try? await fresh.keys.add(jwk: key)) != nil
            else { continue }
            fresh.names.insert(name)
        }
        return fresh
    }

    private static func busy(_ seconds: TimeInterval) -> RequestError {
        var error = RequestError(
            .busy, "The issuer of this token cannot be reached. Try again in a moment.")
        error.retryAfterSeconds = max(1, Int(min(seconds, retryDelays.1).rounded(.up)))
        return error
    }
}
