import NIOPosix
import ServiceAPI
import Synchronization
import UserService

/// Runs what a stranger's body costs on threads of its own, a few at a time, so that requests for
/// files and health are answered meanwhile.
final class ParseGate: Sendable {
    /// The threads; they live as long as the process.
    private static let pool = {
        let pool = NIOThreadPool(numberOfThreads: ServiceLimits.parsesMax)
        pool.start()
        return pool
    }()

    private let waitingMax: Int
    private let entered = Mutex(0)

    init(waitingMax: Int = ServiceLimits.waitingParsesMax) { self.waitingMax = waitingMax }

    /// How much work runs or waits.
    var count: Int { entered.withLock { $0 } }

    /// Does some work when it is its turn.
    ///
    /// - Returns: What the work returns.
    /// - Throws: `UserServiceError` `busy` when too much waits, or what the work throws.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let isAdmitted = entered.withLock { count in
            guard count < ServiceLimits.parsesMax + waitingMax else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { throw UserServiceError.overloaded }
        defer { entered.withLock { $0 -= 1 } }
        return try await Self.pool.runIfActive(work)
    }
}

/// Bounds the bytes of request bodies that are in memory, of all clients and of one address.
final class BodyBudget: Sendable {
    private struct State {
        var all = 0
        var addresses: [String: Int] = [:]
    }

    private let bytesMax: Int
    private let addressBytesMax: Int
    private let state = Mutex(State())

    init(
        bytesMax: Int = ServiceLimits.bodiesBytesMax,
        addressBytesMax: Int = ServiceLimits.addressBodiesBytesMax
    ) {
        self.bytesMax = bytesMax
        self.addressBytesMax = addressBytesMax
    }

    /// Takes bytes that arrived.
    ///
    /// - Throws: `UserServiceError` `busy` when there is no room for them; then none are taken.
    func take(_ count: Int, for address: String) throws {
        let isTaken = state.withLock { state in
            let mine = state.addresses[address, default: 0]
            guard state.all + count <= bytesMax, mine + count <= addressBytesMax else {
                return false
            }
            state.all += count
            state.addresses[address] = mine + count
            return true
        }
        guard isTaken else { throw UserServiceError.overloaded }
    }

    /// Gives bytes back.
    func release(_ count: Int, of address: String) {
        state.withLock { state in
            state.all -= count
            let mine = state.addresses[address, default: 0] - count
            state.addresses[address] = mine > 0 ? mine : nil
        }
    }
}

extension UserServiceError {
    /// Too much to do at the moment.
    static var overloaded: UserServiceError {
        var error = UserServiceError(
            code: .busy, message: "The server is busy. Try again in a moment.")
        error.retryAfterSeconds = 2
        return error
    }
}
