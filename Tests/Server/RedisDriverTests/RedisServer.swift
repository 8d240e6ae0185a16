import Foundation
import Synchronization

@testable import RedisDriver

/// A real Redis on a free port of the loopback, in a temporary folder, which ends with this process.
final class RedisServer: Sendable {
    let port: Int
    private let folder: String
    private let options: [String]
    private let process = Mutex<Process?>(nil)

    /// The path of the program; `nil` where it is not installed.
    static let program = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]
        .first(where: FileManager.default.isExecutableFile)

    /// Starts a server that keeps nothing on the disk.
    ///
    /// - Throws: An error of the file system, or when there is no program.
    init(_ options: [String] = []) throws {
        folder =
            FileManager.default.temporaryDirectory
            .appending(path: "redis-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        port = try Self.freePort()
        self.options = options
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts the server, on the same port after an end, and waits until it accepts connections.
    func start() throws {
        guard let program = Self.program else {
            throw CocoaError(.fileNoSuchFile)
        }
        let new = Process()
        // The server is killed with this process, however that ends: with the thread that starts it.
        new.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        new.arguments =
            [
                "--pdeathsig=KILL", program, "--port", String(port), "--bind", "127.0.0.1",
                "--save", "", "--appendonly", "no", "--dir", folder, "--daemonize", "no",
            ] + options
        new.standardOutput = FileHandle.nullDevice
        new.standardError = FileHandle.nullDevice
        process.withLock { $0 = new }
        try StartingThread.shared.run { [self] in
            try process.withLock { try $0?.run() }
        }
        for _ in 0..<12_000 {
            if Self.accepts(port) { return }
            usleep(5_000)
        }
        throw CocoaError(
            .fileReadUnknown,
            userInfo: [NSDebugDescriptionErrorKey: "Redis did not start on \(port)"])
    }

    /// The limits of a client that waits: a machine that is busy is not a Redis that fails.
    static let patient: RedisLimits = {
        var limits = RedisLimits()
        (limits.timeout, limits.silenceMax) = (.seconds(20), .seconds(40))
        return limits
    }()

    /// The limits of a client that waits a second for each reply of a Redis that fails, and keeps its connection.
    static let impatient: RedisLimits = {
        var limits = RedisLimits()
        (limits.timeout, limits.silenceMax) = (.seconds(1), .seconds(60))
        return limits
    }()

    /// Returns a client of this server.
    ///
    /// - Parameters:
    ///   - user: What stands before the host: a name and a password, and `@`.
    ///   - database: The number of the database.
    ///   - limits: How long it waits. Only a test of a Redis that fails takes short ones.
    func client(
        _ user: String = "", database: Int = 0, limits: RedisLimits = patient
    ) throws -> RedisClient {
        RedisClient(
            try RedisAddress("redis://\(user)127.0.0.1:\(port)/\(database)"), limits: limits)
    }

    private func signal(_ number: Int32) {
        process.withLock { process in
            guard let process, process.isRunning else { return }
            _ = Foundation.kill(process.processIdentifier, number)
        }
    }

    /// Kills the server, as a crash would.
    func kill() {
        signal(SIGKILL)
        process.withLock {
            $0?.waitUntilExit()
            $0 = nil
        }
    }

    /// Stops the server without an end: it accepts connections and says nothing.
    func freeze() { signal(SIGSTOP) }

    /// Lets a frozen server go on.
    func thaw() { signal(SIGCONT) }

    /// The ports of this process' servers: one that was killed, to be started again, keeps its own.
    private static let taken = Mutex<Set<Int>>([])

    /// Returns a port that nothing uses, outside of the range from which the system gives ports.
    private static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_000)
            if !accepts(port), taken.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw CocoaError(.fileReadUnknown)
    }

    private static func accepts(_ port: Int) -> Bool {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

extension RedisClient {
    /// Asks until there is a reply; false after many attempts.
    func isReached() async -> Bool {
        for _ in 0..<400 {
            if case .status("PONG")? = try? await send(["PING"]) { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
}

/// The thread that starts servers, which ends with the process.
///
/// A server has the signal of `--pdeathsig` when the thread that started it ends, and a thread of a pool may end at any time.
private final class StartingThread: Sendable {
    static let shared = StartingThread()

    private let work = Mutex<[@Sendable () -> Void]>([])
    private let isAsked = DispatchSemaphore(value: 0)

    private init() {
        Thread.detachNewThread { [self] in
            while true {
                isAsked.wait()
                work.withLock { $0.removeFirst() }()
            }
        }
    }

    /// Runs a body on the thread, and waits for its end.
    func run(_ body: @escaping @Sendable () throws -> Void) throws {
        let (box, isDone) = (Box(), DispatchSemaphore(value: 0))
        work.withLock {
            $0.append {
                box.result.withLock { $0 = Result { try body() } }
                isDone.signal()
            }
        }
        isAsked.signal()
        isDone.wait()
        try box.result.withLock { try $0.get() }
    }

    private final class Box: Sendable {
        let result = Mutex(Result<Void, any Error>.success(()))
    }
}
