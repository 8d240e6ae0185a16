import CCompression
import CDeflate
import Foundation
import RemoteAssets
import SyncClient
import TestSupport
import Testing

/// A download never takes more memory than its bound, whatever the server sends.
@Suite(.serialized) struct BoundTests {
    private static let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
    private static let mebibyte = 1 << 20
    /// What lies between the two programs: the kernel's buffers of both sockets.
    private static let socketBytesMax = 12 << 20

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let bound = underway_gzip_bound(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = underway_gzip(bytes, bytes.count, output.baseAddress, bound, 9)
        }
    }

    private static func brotli(_ bytes: [UInt8]) -> [UInt8] {
        let bound = underway_brotli_bound(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = underway_brotli(bytes, bytes.count, output.baseAddress, bound, 5)
        }
    }

    /// 64 MiB of nothing in each of 48 members: 3 GiB of memory from 3 MB.
    private static let bomb: [UInt8] = {
        let member = gzip([UInt8](repeating: 0, count: 64 << 20))
        return Array(repeatElement(member, count: 48).joined())
    }()

    /// The most memory that this process had since `body` began, above what it had before, in bytes.
    private func growth(_ body: () async throws -> Void) async throws -> Int {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let before = try Self.status("VmRSS")
        try await body()
        let grown = try Self.status("VmHWM") - before
        print("bounds: grown by \(grown >> 20) MiB")
        return grown
    }

    private static func status(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return try #require(kibibytes) * 1024
    }

    private func code(_ url: String, bytesMax: Int = mebibyte) async -> TransportError.Code? {
        let transport = HTTPTransport()
        defer { transport.close() }
        do {
            try await within {
                let response = try await transport.send(
                    TransportRequest(url: url, bodyBytesMax: bytesMax))
                for try await _ in response.body {}
            }
            return nil
        } catch {
            return (error as? TransportError)?.code
        }
    }

    private func server(_ fields: String, _ body: [UInt8]) throws -> RawServer {
        try RawServer { connection in
            guard connection.head() != nil else { return }
            connection.send(Self.head + fields + "\r\n")
            connection.send(body)
        }
    }

    private func endless(_ fields: String = "") throws -> RawServer {
        try RawServer { connection in
            guard connection.head() != nil else { return }
            connection.send(Self.head + fields + "\r\n")
            let piece = [UInt8](repeating: 0x20, count: 1 << 16)
            while connection.send(piece) {}
        }
    }

    @Test func anEndlessBodyStopsAtItsBound() async throws {
        let server = try endless()
        let grown = try await growth {
            #expect(await code(server.url) == .tooLong)
        }
        #expect(server.sentBytes < Self.mebibyte + Self.socketBytesMax)
        #expect(grown < 64 * Self.mebibyte)
    }

    @Test func anEndlessAssetStopsAtItsBound() async throws {
        let server = try endless()
        let url = try #require(URL(string: server.url))
        let error = await #expect(throws: AssetError.self) {
            try await within {
                try await AssetTransport.urlSession(
                    AssetRequest(url: url, bytesMax: Self.mebibyte))
            }
        }
        #expect(error?.code == .tooLong)
        #expect(server.sentBytes < Self.mebibyte + Self.socketBytesMax)
    }

    @Test func aLongerBodyIsRefusedAtItsHead() async throws {
        let server = try endless("Content-Length: 7600000000\r\n")
        let transport = HTTPTransport()
        defer { transport.close() }
        let error = await #expect(throws: TransportError.self) {
            _ = try await within {
                try await transport.send(
                    TransportRequest(url: server.url, bodyBytesMax: Self.mebibyte))
            }
        }
        #expect(error?.code == .tooLong)
        // An error's status says more than its length.
        let failing = try RawServer { connection in
            guard connection.head() != nil else { return }
            connection.send("HTTP/1.1 503 No\r\nContent-Length: 7600000000\r\n\r\n")
        }
        let response = try await transport.send(
            TransportRequest(url: failing.url, bodyBytesMax: Self.mebibyte))
        #expect(response.status == 503)
    }

    @Test func aShorterBodyThanItsLengthIsAFailure() async throws {
        let server = try server("Content-Length: 100\r\n", Array("short".utf8))
        #expect(await code(server.url) == .offline)
    }

    @Test func aGzipBombStopsAtItsBound() async throws {
        let server = try server("Content-Encoding: gzip\r\n", Self.bomb)
        let grown = try await growth {
            #expect(await code(server.url, bytesMax: 4 * Self.mebibyte) == .tooLong)
        }
        #expect(grown < 64 * Self.mebibyte)
    }

    @Test func aGzipBombIsUnpackedOnlyAsItIsRead() async throws {
        let server = try server("Content-Encoding: gzip\r\n", Self.bomb)
        let transport = HTTPTransport()
        defer { transport.close() }
        let grown = try await growth {
            let response = try await transport.send(
                TransportRequest(url: server.url, bodyBytesMax: .max))
            var count = 0
            for try await piece in response.body {
                count += piece.count
                if count > 256 * Self.mebibyte { break }
            }
        }
        #expect(grown < 64 * Self.mebibyte)
    }

    @Test func aBrotliBombStopsAtItsBound() async throws {
        let bomb = Self.brotli([UInt8](repeating: 0, count: 256 << 20))
        let server = try server("Content-Encoding: br\r\n", bomb)
        let grown = try await growth {
            #expect(await code(server.url) == .tooLong)
        }
        #expect(grown < 64 * Self.mebibyte)
    }

    /// Compressed bytes that unpack to nothing are bounded too.
    @Test func endlessBytesThatUnpackToNothingStop() async throws {
        let nothing = Self.gzip([])
        let server = try RawServer { connection in
            guard connection.head() != nil else { return }
            connection.send(Self.head + "Content-Encoding: gzip\r\n\r\n")
            let piece = Array(repeatElement(nothing, count: 4096).joined())
            while connection.send(piece) {}
        }
        #expect(await code(server.url) == .tooLong)
        #expect(server.sentBytes < Self.mebibyte + Self.socketBytesMax)
    }

    @Test(arguments: ["gzip", "br"])
    func anEncodedBodyArrivesWhole(encoding: String) async throws {
        var random = SeededGenerator(seed: 5)
        let plain = (0..<3_000_000).map { _ in UInt8.random(in: 0...15, using: &random) }
        let packed = encoding == "br" ? Self.brotli(plain) : Self.gzip(plain)
        for cut in [packed.count, packed.count - 1, packed.count / 2, 1] {
            let server = try server(
                "Content-Encoding: \(encoding)\r\n", Array(packed.prefix(cut)))
            let transport = HTTPTransport()
            defer { transport.close() }
            let read = try await within {
                let response = try await transport.send(
                    TransportRequest(url: server.url, bodyBytesMax: plain.count))
                var bytes: [UInt8] = []
                do { for try await piece in response.body { bytes += piece } } catch {
                    #expect((error as? TransportError)?.code == .offline)
                    return [UInt8]?.none
                }
                return bytes
            }
            #expect(read == (cut == packed.count ? plain : nil), "\(cut) bytes")
        }
    }

    /// The server waits while nobody reads, and nothing is lost when reading goes on.
    @Test func aSlowReaderMakesTheServerWait() async throws {
        let total = 32 * Self.mebibyte
        let (stalls, stalled) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            guard connection.head() != nil else { return }
            connection.send(Self.head + "Content-Length: \(total)\r\n\r\n")
            // The length of a pattern is no power of two, so that a lost block would show.
            let pattern = (0..<251 * 256).map { UInt8($0 % 251) }
            var sent = 0
            while sent < total {
                let piece = Array(pattern.prefix(total - sent))
                guard connection.send(piece, whenStalled: { stalled.yield() }) else { return }
                sent += piece.count
            }
        }
        let transport = HTTPTransport()
        defer { transport.close() }
        let response = try await transport.send(
            TransportRequest(url: server.url, bodyBytesMax: total))
        try await within { for await _ in stalls { return } }
        #expect(server.sentBytes < Self.mebibyte + Self.socketBytesMax)
        let isWhole = try await within(.seconds(60)) {
            var count = 0
            var isRight = true
            for try await piece in response.body {
                piece.withUnsafeBufferPointer { bytes in
                    for byte in bytes {
                        isRight = isRight && byte == UInt8(count % 251)
                        count += 1
                    }
                }
            }
            return isRight && count == total
        }
        #expect(isWhole)
    }
}
