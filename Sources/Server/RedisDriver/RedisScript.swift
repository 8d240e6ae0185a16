import Crypto
import Foundation

/// A script in Lua, which Redis executes atomically.
///
/// ```swift
/// let raise = RedisScript("return redis.call('INCRBY', KEYS[1], ARGV[1])")
/// let value = try await client.evaluate(raise, keys: ["count"], arguments: ["2"]).integer
/// ```
public struct RedisScript: Sendable, Hashable {
    /// The text.
    public let text: String
    /// The name by which Redis knows it: SHA-1 in hexadecimal.
    let hash: String

    /// Creates a script from a text without user values.
    public init(_ text: String) {
        self.text = text
        hash = Insecure.SHA1.hash(data: Data(text.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Returns the command that executes it by its name, or by its text, which Redis remembers.
    func command(byName: Bool, keys: [String], arguments: [String]) -> RedisCommand {
        RedisCommand(
            [byName ? "EVALSHA" : "EVAL", byName ? hash : text, String(keys.count)] + keys
                + arguments)
    }
}
