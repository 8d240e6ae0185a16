/// The rule for recording spans.
///
/// | parent | ``followsParent`` | decision |
/// |---|---|---|
/// | sampled or not | `true` | as the parent |
/// | sampled or not | `false` | by ``share`` |
/// | none | either | by ``share`` |
///
/// The share decides by the trace's identity only, so that all programs with the same share record the same traces. A
/// trace is sampled if the number R of its last 14 digits is at least (1 - share) × 2⁵⁶, as in OpenTelemetry's
/// consistent probability sampling.
///
/// | share | least R |
/// |---|---|
/// | 0 | none |
/// | 0.01 | `fd70a3d70a3d70` |
/// | 0.5 | `80000000000000` |
/// | 1 | `00000000000000` |
public struct TraceSampling: Sendable, Hashable {
    /// The probability that a trace is recorded, from 0 to 1.
    public let share: Double
    /// True to follow the parent's decision; `false` for public servers, where strangers could have all requests
    /// recorded.
    ///
    /// A stranger can still choose an identity that the share samples. The exporter's limits bound the cost.
    public let followsParent: Bool
    private let threshold: UInt64

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - share: The probability that a trace is recorded; negative values and NaN count as 0, values above 1 as 1.
    ///   - followsParent: True to follow the parent's decision.
    public init(share: Double, followsParent: Bool = true) {
        self.share = share.isNaN ? 0 : min(max(share, 0), 1)
        self.followsParent = followsParent
        threshold = UInt64(((1 - self.share) * 0x1p56).rounded())
    }

    /// Returns whether a span is recorded.
    func samples(_ context: TraceContext, hasParent: Bool) -> Bool {
        hasParent && followsParent
            ? context.isSampled : context.traceLow & 0xFF_FFFF_FFFF_FFFF >= threshold
    }
}
