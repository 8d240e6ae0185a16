package import Foundation
import Synchronization
import Telemetry

/// An access log with one line of JSON per request.
///
/// Lines are buffered and written in blocks, so that a busy server does not wait for the file.
package final class AccessLog: Sendable {
    private struct State {
        var buffer: [UInt8] = []
        var lastFlush = ContinuousClock.now
    }

    private let state = Mutex(State())
    private let handle: FileHandle
    private static let blockBytes = 32 * 1024

    /// Creates a log that writes to a file handle, such as standard error.
    package init(to handle: FileHandle) {
        self.handle = handle
    }

    /// Adds a line for a request that has its reply.
    ///
    /// No address, token or header field of the client is logged but the identity of its trace.
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, of which 512 characters are logged.
    ///   - status: The status of the reply.
    ///   - bytes: The bytes of the reply's body.
    ///   - trace: The place in a trace; `nil` for a file that was in memory.
    ///   - took: The time until the reply began; `nil` for a file that was in memory.
    func note(
        method: String, path: String, status: Int, bytes: Int, trace: TraceContext? = nil,
        took: Duration? = nil
    ) {
        let time = Date().formatted(.iso8601)
        var line = "{\"time\":\"\(time)\",\"method\":\"\(method)\",\"path\":\""
        for scalar in path.unicodeScalars.prefix(512) {
            switch scalar {
            case "\"", "\\": line += "\\\(scalar)"
            case "\u{20}"..."\u{7E}": line.unicodeScalars.append(scalar)
            default: line += "?"
            }
        }
        line += "\",\"status\":\(status),\"bytes\":\(bytes)"
        if let took { line += ",\"milliseconds\":\(Int(took / .milliseconds(1)))" }
        if let trace { line += ",\"trace\":\"\(trace.traceID)\",\"span\":\"\(trace.spanID)\"" }
        line += "}\n"
        let block = state.withLock { state -> [UInt8]? in
            state.buffer += line.utf8
            let isDue = ContinuousClock.now - state.lastFlush > .seconds(1)
            guard isDue || state.buffer.count > Self.blockBytes else { return nil }
            return drain(&state)
        }
        write(block)
    }

    /// Writes the buffered lines; the server calls it once a second and at shutdown.
    package func flush() {
        write(state.withLock { $0.buffer.isEmpty ? nil : drain(&$0) })
    }

    private func drain(_ state: inout State) -> [UInt8] {
        state.lastFlush = .now
        let buffer = state.buffer
        state.buffer = []
        return buffer
    }

    private func write(_ block: [UInt8]?) {
        guard let block else { return }
        // A log that cannot be written must not stop the service.
        try? handle.write(contentsOf: block)
    }
}
