import Foundation
import ServiceLifecycle

/// Runs a server, and says what to do when it cannot listen.
func serving(on host: String, _ port: Int, _ run: () async throws -> Void) async throws {
    do {
        try await run()
    } catch {
        throw CommandFailure(
            .network, "The server cannot listen on \(host):\(port): \(reason(error)).",
            place: "\(host):\(port)")
    }
}

/// Why nobody can listen, and what to do, in the words of the system and not of a library.
private func reason(_ error: any Error) -> String {
    let text = "\(error)"
    if text.contains("UnknownHost") {
        return "there is no such host; --host takes an address of this machine"
    }
    guard let match = text.firstMatch(of: /errno: (\d+)/), let number = Int32(match.1) else {
        return text
    }
    switch number {
    case EADDRINUSE: return "something listens there; end it, or choose another --port"
    case EACCES: return "ports below 1024 need more rights; choose another --port"
    case EADDRNOTAVAIL: return "--host is no address of this machine"
    default: return String(cString: strerror(number))
    }
}

/// Runs services while `body` runs, which gets the port that they listen on; then ends them.
///
/// - Parameters:
///   - services: What is run; it gives its port to `ports` once it listens.
///   - ports: Where the port comes from.
///   - goesOn: True to go on after `body`, until a signal.
///   - body: What is done meanwhile.
/// - Throws: What `body` throws, or else the services.
func whileRunning(
    _ services: ServiceGroup, ports: (AsyncStream<Int>, AsyncStream<Int>.Continuation),
    goesOn: Bool = false, _ body: (Int) async throws -> Void
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
        if failure != nil || !goesOn { await services.triggerGracefulShutdown() }
        try await group.waitForAll()
        if let failure { throw failure }
    }
}
