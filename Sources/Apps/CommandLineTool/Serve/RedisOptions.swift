import Accounts
import ArgumentParser
import Foundation
import LiveEvents
import RedisDriver
import Telemetry

/// The Redis that the processes of a server share, by its address.
struct RedisOptions: ParsableArguments {
    /// The variable of the environment that has the address, which others could read on a command line.
    static let variable = "UNDERWAY_REDIS"

    @Option(
        help: """
            The Redis in which the processes of a server count requests and rank live events together, for example \
            redis://user:password@host:6379/0, rediss for TLS with ?cafile=FILE (default: the variable \
            UNDERWAY_REDIS). Without it, or while it fails, each process counts by itself.
            """)
    var redis: String?

    /// Parses the address; `nil` when none was given.
    ///
    /// - Throws: `ValidationError` for one that cannot be read.
    func address() throws -> RedisAddress? {
        let text = redis ?? ProcessInfo.processInfo.environment[Self.variable] ?? ""
        guard !text.isEmpty else { return nil }
        do {
            return try RedisAddress(text)
        } catch {
            throw ValidationError(error.message)
        }
    }
}

/// The Redis of a server that runs.
struct SharedRedis: Sendable {
    private let client: RedisClient

    /// Connects, and says on standard error when that is not possible for now: the server goes on without.
    init(_ address: RedisAddress) async {
        client = RedisClient(address, limits: RedisRateLimits.limits)
        do {
            try await client.send(["PING"])
        } catch let error as RedisError {
            Console.note(
                "Redis at \(address) does not serve (\(error.code.rawValue)): \(error.message) This process"
                    + " counts requests by itself until it does.")
        } catch {
            // Cancelled: the server ends.
        }
    }

    /// Returns the limits of a server, whose attempts to guess are counted as before.
    func limits(_ attempts: any RateLimiting) -> any RateLimiting {
        RedisRateLimits(client, attempts: attempts)
    }

    /// The places of live events.
    var ranking: any LiveRanking { RedisRanking(client) }

    /// The numbers of the connection.
    var numbers: [MetricSample] {
        [
            MetricSample("underway_redis_connected", client.isConnected ? 1 : 0),
            MetricSample("underway_redis_in_flight", Double(client.inFlightCount)),
        ]
    }

    /// Ends the connection.
    func close() async { await client.close() }
}
