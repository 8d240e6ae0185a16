import Foundation
import Synchronization
import Testing

@testable import RedisDriver

/// The client against the real server. Without the program they fail loudly: `script/bootstrap test` installs it.
@Suite struct RedisClientTests {
    private func code(_ body: () async throws -> RESPValue) async -> RedisError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? RedisError)?.code
        }
    }

    /// A thread of a pool may end while a test still needs the server that was started on it.
    @Test func aServerOutlivesTheThreadThatStartedIt() async throws {
        let made = Mutex<Result<RedisServer, any Error>?>(nil)
        var thread = pthread_t()
        let box = Unmanaged.passRetained(
            Starting { made.withLock { $0 = Result { try RedisServer() } } })
        pthread_create(
            &thread, nil,
            { raw in
                guard let raw else { return nil }
                Unmanaged<Starting>.fromOpaque(raw).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        pthread_join(thread, nil)
        let server = try #require(made.withLock { $0 }).get()
        let client = try server.client()
        for _ in 0..<200 { _ = try await client.send(["PING"]) }
        await client.close()
    }

    private final class Starting {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    @Test func repliesOfManyTasksGoToTheirs() async throws {
        let server = try RedisServer()
        let client = try server.client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<100 {
                group.addTask {
                    for number in 0..<100 {
                        let word = "\(task) \(number)"
                        let reply = try await client.send(["ECHO", word])
                        #expect(reply.text == word)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(client.connectionCount == 1 && client.isConnected)
        let replies = try await client.send((0..<5_000).map { _ in ["INCR", "n"] })
        #expect(try replies.map { try $0.get().integer } == (1...5_000).map { Int64($0) })
        await client.close()
        #expect(await code { try await client.send(["PING"]) } == .closed)
    }

    @Test func whatWasInFlightWhenTheServerDiesIsUnknown() async throws {
        let server = try RedisServer()
        let client = try server.client()
        try await client.send(["PING"])
        server.freeze()
        async let lost = code { try await client.send(["INCR", "n"]) }
        while client.inFlightCount == 0 { await Task.yield() }
        server.kill()
        #expect(await lost == .connectionLost)
        #expect(await code { try await client.send(["PING"]) } == .unavailable)
        try server.start()
        #expect(await client.isReached())
        #expect(client.connectionCount == 2)
        await client.close()
    }

    @Test func aServerThatIsSilentIsGivenUpInTime() async throws {
        let server = try RedisServer()
        var limits = RedisLimits()
        (limits.timeout, limits.inFlightMax) = (.seconds(1), 50)
        limits.silenceMax = .seconds(4)
        let client = try server.client(limits: limits)
        #expect(await client.isReached())
        server.freeze()
        let codes = await withTaskGroup(of: RedisError.Code?.self) { group in
            for _ in 0..<80 { group.addTask { await code { try await client.send(["PING"]) } } }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == [.timedOut: 50, .busy: 30])
        server.thaw()
        #expect(await client.isReached())
        await client.close()
    }

    @Test func aCancelledTaskWaitsNoLonger() async throws {
        let server = try RedisServer()
        let client = try server.client()
        try await client.send(["PING"])
        server.freeze()
        let task = Task { try await client.send(["INCR", "n"]) }
        while client.inFlightCount == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        server.thaw()
        // Its reply is dropped, and the next one is the next one's.
        #expect(try await client.send(["ECHO", "after"]).text == "after")
        await client.close()
    }

    @Test func aScriptIsLoadedWhereItIsUnknown() async throws {
        let server = try RedisServer()
        let client = try server.client()
        let script = RedisScript(
            "return {KEYS[1], ARGV[1], redis.call('INCRBY', KEYS[1], ARGV[1])}")
        for total in 1...3 {
            let reply = try await client.evaluate(script, keys: ["k"], arguments: ["2"])
            #expect(reply.elements?.last?.integer == Int64(2 * total))
            if total == 2 { try await client.send(["SCRIPT", "FLUSH"]) }
        }
        let wrong = RedisScript("return redis.call('NOSUCH')")
        #expect(await code { try await client.evaluate(wrong, keys: []) } == .serverError)
        await client.close()
    }

    @Test func theServersRefusalsHaveNames() async throws {
        let server = try RedisServer(["--requirepass", "p w%", "--maxmemory", "2mb"])
        for secret in ["", ":wrong@", "nobody:p%20w%25@"] {
            let refused = try server.client(secret)
            #expect(await code { try await refused.send(["PING"]) } == .refused, "\(secret)")
            await refused.close()
        }
        let client = try server.client(":p%20w%25@")
        try await client.send(["PING"])
        let full = await code {
            for number in 0..<200 {
                try await client.send([
                    "SET", "k\(number)", String(repeating: "x", count: 100_000),
                ])
            }
            return .null
        }
        #expect(full == .outOfMemory)
        await client.close()
        let replica = try RedisServer(["--replicaof", "127.0.0.1 \(server.port)"])
        let reader = try replica.client()
        #expect(await code { try await reader.send(["SET", "a", "b"]) } == .readOnly)
        await reader.close()
    }

    @Test func anotherDatabaseIsAnotherOne() async throws {
        let server = try RedisServer()
        let one = try server.client()
        let two = try server.client(database: 3)
        try await one.send(["SET", "a", "1"])
        #expect(try await two.send(["GET", "a"]) == .null)
        await one.close()
        await two.close()
    }

    #if RedisTLS
    @Test func tlsIsVerified() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "redis-tls-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-keyout", folder.path + "/key.pem", "-out",
            folder.path + "/chain.pem",
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        let plain = try RedisServer()
        let port = plain.port + 1
        let server = try RedisServer([
            "--tls-port", String(port), "--tls-cert-file", folder.path + "/chain.pem",
            "--tls-key-file", folder.path + "/key.pem", "--tls-ca-cert-file",
            folder.path + "/chain.pem", "--tls-auth-clients", "no",
        ])
        let trusted = RedisClient(
            try RedisAddress("rediss://localhost:\(port)?cafile=\(folder.path)/chain.pem"),
            limits: RedisServer.patient)
        #expect(try await trusted.send(["PING"]) == .status("PONG"))
        await trusted.close()
        let strange = RedisClient(
            try RedisAddress("rediss://localhost:\(port)"), limits: RedisServer.patient)
        #expect(await code { try await strange.send(["PING"]) } == .unavailable)
        await strange.close()
        _ = server
    }

    @Test func anAddressWithTLSIsParsed() throws {
        let address = try RedisAddress("rediss://ada:secret@h?cafile=/a/b.pem")
        #expect(address.usesTLS && address.description == "rediss://ada@h:6379/0")
    }
    #else
    @Test func aBuildWithoutTLSRefusesIt() throws {
        let error = #expect(throws: RedisError.self) { try RedisAddress("rediss://ada:secret@h") }
        let message = try #require(error?.message)
        #expect(message.contains("--traits RedisTLS") && !message.contains("secret"))
    }
    #endif

    @Test func anAddressIsParsedAndShownWithoutItsPassword() throws {
        let address = try RedisAddress("redis://ada:s%40cret@[::1]:7000/2?cafile=/a/b.pem")
        #expect(address.host == "::1" && address.port == 7000 && address.database == 2)
        #expect(address.user == "ada" && address.password == "s@cret" && !address.usesTLS)
        #expect(address.certificateFile == "/a/b.pem")
        #expect(!address.description.contains("cret"))
        #expect(try RedisAddress("redis://h").description == "redis://h:6379/0")
        for text in [
            "", "h", "http://h", "redis://", "redis://h:0", "redis://h:99999", "redis://h/x",
            "redis://h/-1", "redis://h?x=1", "redis://h#a", "redis://u:secret@h:x",
        ] {
            let error = #expect(throws: RedisError.self, "\(text)") { _ = try RedisAddress(text) }
            #expect(error?.message.contains("secret") == false)
        }
    }
}
