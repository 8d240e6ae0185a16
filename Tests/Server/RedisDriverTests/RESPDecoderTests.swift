import NIOCore
import TestSupport
import Testing

@testable import RedisDriver

/// Reading RESP3, in pieces and in pieces that are wrong.
@Suite struct RESPDecoderTests {
    private static let replies: [(String, RESPValue)] = [
        ("+OK\r\n", .status("OK")), ("-ERR no\r\n", .error("ERR no")), (":-7\r\n", .integer(-7)),
        ("$5\r\nhe\r\no\r\n", .bytes(Array("he\r\no".utf8))), ("$0\r\n\r\n", .bytes([])),
        ("$-1\r\n", .null), ("*-1\r\n", .null), ("_\r\n", .null), ("#t\r\n", .boolean(true)),
        (",1.5\r\n", .double(1.5)), (",-inf\r\n", .double(-.infinity)),
        ("(12345678901234567890\r\n", .status("12345678901234567890")),
        ("=6\r\ntxt:ab\r\n", .bytes(Array("ab".utf8))), ("!5\r\nOOM x\r\n", .error("OOM x")),
        ("*2\r\n:1\r\n*1\r\n+a\r\n", .array([.integer(1), .array([.status("a")])])),
        ("~1\r\n:3\r\n", .array([.integer(3)])),
        ("%1\r\n+k\r\n:2\r\n", .map([.status("k"), .integer(2)])),
        (">2\r\n+a\r\n+b\r\n", .push([.status("a"), .status("b")])),
    ]

    private func decode(
        _ text: String, _ limits: RedisLimits = RedisLimits()
    ) throws -> RESPValue? {
        var (buffer, decoder) = (ByteBuffer(string: text), RESPDecoder(limits))
        return try decoder.next(&buffer)
    }

    @Test func everyReplyIsReadHoweverItIsSplit() throws {
        for (text, value) in Self.replies {
            let bytes = Array(text.utf8)
            for count in 0..<bytes.count {
                var (buffer, decoder) = (
                    ByteBuffer(bytes: bytes[..<count]), RESPDecoder(RedisLimits())
                )
                #expect(try decoder.next(&buffer) == nil, "\(text.debugDescription) \(count)")
                #expect(buffer.readableBytes == count)
                buffer.writeBytes(bytes[count...] + Array("+next\r\n".utf8))
                #expect(try decoder.next(&buffer) == value, "\(text.debugDescription) \(count)")
                #expect(try decoder.next(&buffer) == .status("next"))
            }
        }
    }

    @Test(arguments: [
        "hello\r\n", "HTTP/1.1 400 Bad Request\r\n", "$x\r\n", "$-2\r\n", "*-2\r\n", "+a\n",
        "#x\r\n",
        "_x\r\n", "$1\r\nabc\r\n", ":1.5\r\n", ",x\r\n", "\r\n",
    ])
    func whatIsNoReplyIsRefused(text: String) {
        let error = #expect(throws: RedisError.self) { _ = try decode(text) }
        #expect(error?.code == .protocolViolation)
    }

    @Test func limitsHoldBeforeBytesArrive() {
        var limits = RedisLimits()
        (limits.depthMax, limits.textBytesMax, limits.elementsMax) = (3, 10, 4)
        for text in [
            "$11\r\n", "*5\r\n", "%3\r\n", "*4\r\n:1\r\n*1\r\n", "*1\r\n*1\r\n*1\r\n:1\r\n",
            "$9223372036854775807\r\n", "*9223372036854775807\r\n", "%9223372036854775807\r\n",
            "+" + String(repeating: "x", count: 70_000),
        ] {
            #expect(throws: RedisError.self, "\(text.prefix(30))") { _ = try decode(text, limits) }
        }
    }

    @Test(arguments: [1 as UInt64, 2, 3])
    func noBytesAreTooStrange(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let all = Array(Self.replies.map(\.0).joined().utf8)
        for _ in 0..<20_000 {
            var bytes = all
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default:
                    bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
                }
            }
            var (buffer, decoder) = (ByteBuffer(bytes: bytes), RESPDecoder(RedisLimits()))
            // Ends by a refusal or for lack of bytes, and never by itself.
            while let value = try? decoder.next(&buffer) { _ = value }
        }
    }
}
