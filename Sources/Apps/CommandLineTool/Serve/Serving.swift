import ContentServer
import Foundation
import ServiceLifecycle

/// Runs a server, and explains a failure to listen.
func serving(on host: String, _ port: Int, _ run: () async throws -> Void) async throws {
    do {
        try await run()
    } catch let error as MetricsListenError {
        let place = "\(error.address.urlHost):\(error.address.port)"
        throw CommandFailure(
            .network,
            "The server cannot listen on \(place) for --metrics: "
                + "\(reason(error.reason, option: "--metrics")).",
            place: place)
    } catch {
        throw CommandFailure(
            .network, "The server cannot listen on \(host):\(port): \(reason(error)).",
            place: "\(host):\(port)")
    }
}

/// Returns the reason for a failure to listen and the remedy, in the terms of the system.
private func reason(_ error: any Error, option: String? = nil) -> String {
    let text = "\(error)"
    if text.contains("UnknownHost") {
        return "there is no such host; \(option ?? "--host") takes an address of this machine"
    }
    guard let match = text.firstMatch(of: /errno: (\d+)/), let number = Int32(match.1) else {
        return text
    }
    switch number {
    case EADDRINUSE:
        return "something listens there; end it, or choose another \(option ?? "--port")"
    case EACCES: return "ports below 1024 need more rights; choose another \(option ?? "--port")"
    case EADDRNOTAVAIL: return "\(option ?? "--host") is no address of this machine"
    default: return String(cString: strerror(number))
    }
}

/// Runs services while `body` runs with the port that they listen on; then stops them.
///
/// - Parameters:
///   - services: The services; they send the port to `ports` once they listen.
///   - ports: The stream of the port.
///   - keepsRunning: True to continue after `body`, until a signal.
///   - body: The body.
/// - Throws: The error of `body`, or else of the services.
func whileRunning(
    _ services: ServiceGroup, ports: (AsyncStream<Int>, AsyncStream<Int>.Continuation),
    keepsRunning: Bool = false, _ body: (Int) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { ports.1.finish() }
            try await services.run()
        }
        var failure: (any Error)?
        do {
            if let port = await ports.0.first(where: { _ in true }) { try await body(port) }
        } catch {
            failure = error
        }
        if failure != nil || !keepsRunning { await services.triggerGracefulShutdown() }
        try await group.waitForAll()
        if let failure { throw failure }
    }
}
