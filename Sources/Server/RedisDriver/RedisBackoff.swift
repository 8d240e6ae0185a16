/// The time to wait before another attempt to connect.
///
/// It doubles with each consecutive failure, from 50 ms to 5 s. A random factor between a half and one shortens it, so
/// that many processes do not reconnect at once.
///
/// | failures | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 and more |
/// |---|---|---|---|---|---|---|---|---|
/// | seconds at most | 0.05 | 0.1 | 0.2 | 0.4 | 0.8 | 1.6 | 3.2 | 5 |
struct RedisBackoff {
    /// Returns the time after so many failures in a row.
    ///
    /// - Parameters:
    ///   - failures: At least 1.
    ///   - chance: From 0 to 1.
    /// - Returns: The time.
    static func delay(after failures: Int, chance: Double) -> Duration {
        let most = min(5_000, 50 << min(10, max(0, failures - 1)))
        return .milliseconds(Int(Double(most) * (0.5 + 0.5 * chance)))
    }
}
