import ContentServer
import Foundation
import Ledger
import Logging
import ServerApplication
import ServiceLifecycle
import TestSupport

/// Runs our server on a free port of the loopback while `body` runs.
func withServer<Value: Sendable>(
    _ release: String, accessLog: AccessLog? = nil, users: UserBackend? = nil,
    _ change: @escaping @Sendable (inout ServerOptions) -> Void = { _ in },
    _ body: @Sendable (_ baseURL: String) async throws -> Value
) async throws -> Value {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    var options = ServerOptions(
        release: release, port: 0, threads: 1, accessLog: accessLog, users: users,
        onListening: { continuation.yield($0) })
    change(&options)
    let service = ContentApplication.build(options, logger: logger)
    let group = ServiceGroup(services: [service], logger: logger)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body("http://127.0.0.1:\(port)/api/content/v2"))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return try result.get()
    }
}

/// Plain nginx over a release directory, on a free port of the loopback.
struct Nginx {
    static let path = ["/usr/sbin/nginx", "/usr/bin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// False where tests with nginx are skipped; true in CI, where they fail if nginx is missing.
    static var isExpected: Bool {
        if path == nil {
            print("SKIPPED: nginx is not installed; `script/bootstrap test` installs it")
        }
        return path != nil || ProcessInfo.processInfo.environment["CI"] == "true"
    }

    private let folder: TemporaryFolder
    private let process = Process()
    let baseURL: String

    /// The configuration that docs/operators.md shows.
    init(release: String) throws {
        folder = try TemporaryFolder()
        let port = try Self.freePort()
        baseURL = "http://127.0.0.1:\(port)/api/content/v2"
        try folder.write(
            """
            daemon off;
            pid \(folder.path)/pid;
            error_log \(folder.path)/error.log;
            events {}
            http {
                access_log off;
                client_body_temp_path \(folder.path)/b; proxy_temp_path \(folder.path)/p;
                fastcgi_temp_path \(folder.path)/f; uwsgi_temp_path \(folder.path)/u;
                scgi_temp_path \(folder.path)/s;
                types { application/json json; image/svg+xml svg; audio/mp4 m4a; }
                server {
                    listen 127.0.0.1:\(port);
                    gzip_static on;
                    gzip_vary on;
                    location ~ /\\. { return 404; }
                    location = /elsewhere { return 302 http://localhost:\(port)/api/content/v2/manifest.json; }
                    location = /here { return 302 http://127.0.0.1:\(port)/api/content/v2/manifest.json; }
                    location /api/content/v2/objects/ {
                        alias \(release)/objects/;
                        add_header Cache-Control "public, max-age=31536000, immutable";
                    }
                    location /api/content/v2/ {
                        alias \(release)/;
                        add_header Cache-Control no-cache;
                    }
                }
            }
            """, to: "nginx.conf")
        process.executableURL = URL(fileURLWithPath: Self.path ?? "")
        process.arguments = ["-c", folder.path + "/nginx.conf", "-p", folder.path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        try Self.awaitPort(port)
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Connects until someone answers, for at most ten seconds.
    private static func awaitPort(_ port: Int) throws {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = loopback(port: port)
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if result == 0 { return }
            usleep(5_000)
        }
        throw CancellationError()
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
