import DatabaseTestSupport
import Dispatch
import Foundation
import Glibc
import Synchronization

/// The program itself, run as a process.
struct Tool {
    struct Result {
        var status: Int32
        var output: String
        var errors: String
        var wasKilled: Bool
        /// From the start of the process to its end, however long the test then waits for its turn.
        var duration: Duration
    }

    /// Beside the test bundle, where the build puts it.
    static let url = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "underway")

    /// Waits on a thread that no task needs: a test that blocked one of the few threads of the tasks
    /// would keep the other tests, and a server in this process, from going on.
    static func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Runs to the end.
    static func run(_ arguments: [String], input: String = "") async throws -> Result {
        try await blocking { try finish(try start(url.path, arguments, input: input)) }
    }

    /// Runs below a limit on the size of files, which is how a full disk looks to a program.
    static func run(_ arguments: [String], fileKilobytesMax: Int) async throws -> Result {
        let script = "trap '' XFSZ; ulimit -f \(fileKilobytesMax); exec \"$0\" \"$@\""
        return try await blocking {
            try finish(try start("/bin/bash", ["-c", script, url.path] + arguments))
        }
    }

    /// Runs in a shell that first does something else, such as making the disk small; `"$@"` is the program
    /// with its arguments.
    static func run(
        _ arguments: [String], input: String = "", inShell script: String
    ) async throws -> Result {
        try await blocking {
            try finish(
                try start("/bin/bash", ["-c", script, "bash", url.path] + arguments, input: input))
        }
    }

    /// Runs and kills the process after some microseconds, unless it has ended by then.
    static func run(
        _ arguments: [String], input: String = "", killedAfter microseconds: UInt32
    ) async throws -> Result {
        try await blocking {
            let running = try start(url.path, arguments, input: input)
            usleep(microseconds)
            kill(running.process.processIdentifier, SIGKILL)
            return try finish(running)
        }
    }

    /// Runs until the errors hold a text, then asks the process to end (SIGTERM).
    static func run(_ arguments: [String], endedOnceItSays text: String) async throws -> Result {
        try await blocking {
            let running = try start(url.path, arguments)
            let end = ContinuousClock.now + .seconds(20)
            while ContinuousClock.now < end, running.process.isRunning,
                try !String(contentsOf: running.errors, encoding: .utf8).contains(text)
            {
                usleep(2_000)
            }
            running.process.terminate()
            return try finish(running)
        }
    }

    /// Runs until a condition holds, and kills the process then.
    static func run(
        _ arguments: [String], killedOnce isReached: () async throws -> Bool
    ) async throws -> Result {
        let running = try await blocking { try start(url.path, arguments) }
        var failure: (any Error)?
        do {
            try await eventually("the moment of the kill") {
                try await isReached() || !running.process.isRunning
            }
        } catch {
            failure = error
        }
        kill(running.process.processIdentifier, SIGKILL)
        let result = try await blocking { try finish(running) }
        if let failure { throw failure }
        return result
    }

    /// A server that can be killed and started again on the same port.
    final class Server: Sendable {
        private struct State {
            var running: Running?
            var port = 0
        }

        private let arguments: [String]
        private let openFilesMax: Int?
        private let state = Mutex(State())

        /// The port that it took when it was started first.
        var port: Int { state.withLock { $0.port } }

        /// The process, while it runs.
        var processIdentifier: Int32 {
            state.withLock { $0.running?.process.processIdentifier ?? 0 }
        }

        /// Starts `serve`, or another command that listens on the loopback; port 0 chooses a free one.
        init(
            _ arguments: [String], command: [String] = ["serve", "--quiet"],
            openFilesMax: Int? = nil, port: Int = 0
        ) async throws {
            self.arguments = command + arguments
            self.openFilesMax = openFilesMax
            state.withLock { $0.port = port }
            try await start()
        }

        /// A test that failed, or forgot it, leaves no server behind.
        deinit {
            // It may have ended by itself.
            try? kill()
        }

        /// Starts it, and returns once it listens.
        func start() async throws { try await Tool.blocking { try self.listen() } }

        private func listen() throws {
            let arguments = arguments + ["--port", "\(port)"]
            let running =
                if let openFilesMax {
                    try Tool.start(
                        "/bin/bash",
                        ["-c", "ulimit -n \(openFilesMax); exec \"$0\" \"$@\"", Tool.url.path]
                            + arguments)
                } else {
                    try Tool.start(Tool.url.path, arguments)
                }
            state.withLock { $0.running = running }
            let end = ContinuousClock.now + .seconds(20)
            while ContinuousClock.now < end, running.process.isRunning {
                let text = try String(contentsOf: running.errors, encoding: .utf8)
                if let match = text.firstMatch(of: /127\.0\.0\.1:(\d+)/) {
                    state.withLock { $0.port = Int(match.1) ?? 0 }
                    return
                }
                usleep(2_000)
            }
            throw CancellationError()
        }

        /// Asks it to end (SIGTERM) and waits; its exit code.
        func end() async throws -> Int32 {
            let running = state.withLock { state in
                defer { state.running = nil }
                return state.running
            }
            guard let running else { return 0 }
            running.process.terminate()
            let result = try await Tool.blocking { try Tool.finish(running) }
            return result.wasKilled ? -1 : result.status
        }

        func kill() throws {
            let running = state.withLock { state in
                defer { state.running = nil }
                return state.running
            }
            guard let running else { return }
            Glibc.kill(running.process.processIdentifier, SIGKILL)
            _ = try Tool.finish(running)
        }
    }

    private struct Running: Sendable {
        let process: Process
        let output: URL
        let errors: URL
        let start = ContinuousClock.now
    }

    private static func start(
        _ path: String, _ arguments: [String], input: String = ""
    ) throws -> Running {
        let folder = FileManager.default.temporaryDirectory
        let name = UUID().uuidString
        let output = folder.appending(path: "underway-test-\(name).out")
        let errors = folder.appending(path: "underway-test-\(name).err")
        for file in [output, errors] {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_BACKTRACE": "enable=no", "TZ": "UTC"], uniquingKeysWith: { $1 })
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        let pipe = Pipe()
        process.standardInput = pipe
        try process.run()
        // A command that has nothing to ask may have ended before: its pipe is broken then.
        try? pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        return Running(process: process, output: output, errors: errors)
    }

    private static func finish(_ running: Running) throws -> Result {
        running.process.waitUntilExit()
        let duration = ContinuousClock.now - running.start
        defer {
            for file in [running.output, running.errors] {
                try? FileManager.default.removeItem(at: file)
            }
        }
        return Result(
            status: running.process.terminationStatus,
            output: try String(contentsOf: running.output, encoding: .utf8),
            errors: try String(contentsOf: running.errors, encoding: .utf8),
            wasKilled: running.process.terminationReason == .uncaughtSignal,
            duration: duration)
    }
}
