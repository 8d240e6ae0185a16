import ContentServer
import ServiceAPI

/// A bounded queue for slow hashes on threads of its own, a few at once.
///
/// The threads of requests never compute one, so a flood of sign-ins delays sign-ins alone.
actor PasswordQueue {
    /// The threads of all queues of the process.
    static let threads = WorkerThreads(
        "passwords", count: ServiceLimits.passwordChecksMax)

    private var runningCount = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var counts: [String: Int] = [:]

    /// Enqueues blocking work and returns its result.
    ///
    /// - Parameters:
    ///   - address: The client's address; one address cannot fill the queue.
    ///   - body: The work.
    /// - Returns: The result of the work.
    /// - Throws: `RequestError` `busy` when the queue is full, or the error of the work.
    func run<Value: Sendable>(
        for address: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard waiting.count < ServiceLimits.waitingPasswordChecksMax,
            counts[address, default: 0] < ServiceLimits.waitingPasswordChecksPerAddressMax
        else { throw RequestError.passwordsAreBusy }
        counts[address, default: 0] += 1
        defer { leave(address) }
        if runningCount == ServiceLimits.passwordChecksMax {
            // A finished job passes its slot on, so the number of running jobs does not change
            // here.
            await withCheckedContinuation { waiting.append($0) }
        } else {
            runningCount += 1
        }
        defer { handOver() }
        return try await Self.threads.run(body)
    }

    private func handOver() {
        if waiting.isEmpty { runningCount -= 1 } else { waiting.removeFirst().resume() }
    }

    private func leave(_ address: String) {
        let count = counts[address, default: 1] - 1
        counts[address] = count == 0 ? nil : count
    }
}

extension RequestError {
    static var passwordsAreBusy: RequestError {
        var error = RequestError(.busy, "Too many sign-ins at once. Try again in a moment.")
        error.retryAfterSeconds = 2
        return error
    }
}
