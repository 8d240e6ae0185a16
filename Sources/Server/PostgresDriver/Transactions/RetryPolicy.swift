/// The policy for retrying failed transactions.
///
/// | failure | decision |
/// |---|---|
/// | 40001, 40P01 | repeat, at most `conflictsMax` times, after a random part of `delay` |
/// | connection lost before COMMIT was sent, or no connection | repeat on another connection, at most `lossesMax` times |
/// | connection lost after it | fail: the outcome is unknown; a read-only one is repeated as above |
/// | 42P05, 26000, 0A000 (prepared names) | repeat once without names, if names are in use |
/// | 25006 in a transaction that may write | repeat on another connection, at most `lossesMax` times |
/// | anything else | fail |
///
/// ```swift
/// var policy = RetryPolicy()
/// policy.conflictsMax = 5
/// ```
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of retries after conflicts with other transactions.
    public var conflictsMax = 3
    /// The maximum number of retries after losses of the connection.
    public var lossesMax = 1
    /// The range of the delay before a retry.
    public var delay = Duration.milliseconds(5)...Duration.milliseconds(50)

    /// Creates the policy of the table.
    public init() {}

    /// A policy without retries.
    public static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.conflictsMax = 0
        policy.lossesMax = 0
        return policy
    }
}

/// The retries of one transaction so far, and the decision about the next.
public struct RetryState: Sendable, Hashable {
    /// A decision after a failure.
    public enum Decision: Sendable, Hashable {
        /// Report the failure.
        case fail
        /// Retry the transaction after a delay.
        case repeatAfter(Duration)
        /// Close this connection, and retry the transaction on another one.
        case repeatElsewhere(after: Duration)
    }

    private let policy: RetryPolicy
    private let usesNames: Bool
    private var conflicts = 0
    private var losses = 0
    /// True when the next retry uses no prepared names.
    public private(set) var isUnnamed = false

    /// Creates the state of a new transaction.
    public init(_ policy: RetryPolicy, usesNames: Bool = false) {
        self.policy = policy
        self.usesNames = usesNames
    }

    /// Decides how to handle a failure.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - isReadOnly: True for a transaction that was declared read-only.
    ///   - chance: A random number from 0 to 1, for the delay.
    /// - Returns: The decision.
    public mutating func failed(
        _ error: PostgresError, isReadOnly: Bool = false, chance: Double
    ) -> Decision {
        guard !error.isOutcomeUnknown || isReadOnly, error.phase != .waiting,
            error.phase != .encoding
        else {
            return .fail
        }
        let delay =
            policy.delay.lowerBound
            + (policy.delay.upperBound - policy.delay.lowerBound) * chance
        switch error.code {
        case .serializationFailure, .deadlock:
            conflicts += 1
            return conflicts <= policy.conflictsMax ? .repeatAfter(delay) : .fail
        case .duplicateStatementName, .unknownStatementName, .featureNotSupported:
            guard usesNames, !isUnnamed, policy != .never else { return .fail }
            isUnnamed = true
            return .repeatAfter(.zero)
        case .readOnlyTransaction where !isReadOnly: return lost(delay)
        case let code where code.meansConnectionLost: return lost(delay)
        default: return .fail
        }
    }

    private mutating func lost(_ delay: Duration) -> Decision {
        losses += 1
        return losses <= policy.lossesMax ? .repeatElsewhere(after: delay) : .fail
    }
}
