import NIOCore

/// A command with its arguments, which are sent as bytes and never become part of a text.
///
/// ```swift
/// let add: RedisCommand = ["ZADD", "board", "12", "ada"]
/// ```
public struct RedisCommand: Sendable, Hashable, ExpressibleByArrayLiteral,
    CustomStringConvertible
{
    /// The name of the command and its arguments.
    public let words: [[UInt8]]

    /// Creates a command from its name and arguments.
    public init(_ words: [String]) { self.words = words.map { Array($0.utf8) } }

    /// Creates a command from its name and arguments.
    public init(arrayLiteral words: String...) { self.init(words) }

    /// The name only: arguments may be secret.
    public var description: String { String(decoding: words.first ?? [], as: UTF8.self) }

    /// The bytes on the wire, about.
    var byteCount: Int { words.reduce(16) { $0 + $1.count + 16 } }

    func write(to buffer: inout ByteBuffer) {
        buffer.writeString("*\(words.count)\r\n")
        for word in words {
            buffer.writeString("$\(word.count)\r\n")
            buffer.writeBytes(word)
            buffer.writeString("\r\n")
        }
    }
}
