#if os(Linux)
import CTransfer
import Foundation
import Synchronization

/// Transfers on libcurl, all in one thread.
///
/// Foundation's URLSession is not used here: on Linux it ends the process when a reply is cut within
/// its head, and it unpacks and buffers without a bound.
final class CurlEngine: TransferEngine {
    fileprivate enum Command: Sendable {
        case start(TransferRequest, WebAddress, Reply)
        case resume(Reply)
        case stop(Reply)
        case close
    }

    /// The address of libcurl's loop.
    ///
    /// `@unchecked`: only the engine's thread uses it, except for `underway_loop_wake`, which libcurl
    /// allows from every thread, and which is called under the lock that also guards its end.
    fileprivate struct Loop: @unchecked Sendable {
        var pointer: OpaquePointer
    }

    private struct State {
        var loop: Loop?
        var commands: [Command] = []
        var isClosed = false
    }

    let decodesBodies = false
    private let idleSeconds: Int
    private let state = Mutex(State())

    /// Creates an engine; its thread starts with the first request.
    init(idleTimeout: TimeInterval) { idleSeconds = Int(min(max(1, idleTimeout), 86_400)) }

    func start(_ request: TransferRequest, _ address: WebAddress, _ reply: Reply) {
        if !send(.start(request, address, reply)) {
            reply.ended(.failure(.closed))
        }
    }

    func resume(_ reply: Reply) { send(.resume(reply)) }

    func stop(_ reply: Reply) { send(.stop(reply)) }

    func close() { send(.close) }

    /// Enqueues a command for the thread.
    ///
    /// - Returns: False when there is no thread and there never will be.
    @discardableResult
    private func send(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            if case .close = command { state.isClosed = true }
            if state.loop == nil {
                guard case .start = command, let pointer = underway_loop_make() else {
                    return false
                }
                let loop = Loop(pointer: pointer)
                state.loop = loop
                let thread = Thread { [self] in run(loop) }
                thread.name = "underway.network"
                thread.start()
            }
            state.commands.append(command)
            if let loop = state.loop { underway_loop_wake(loop.pointer) }
            return true
        }
    }

    private func run(_ loop: Loop) {
        underway_loop_enter_thread()
        var transfers = CurlTransfers(loop: loop.pointer, idleSeconds: idleSeconds)
        while true {
            let commands = state.withLock { state in
                defer { state.commands = [] }
                return state.commands
            }
            for command in commands {
                switch command {
                case .start(let request, let address, let reply):
                    transfers.start(request, address, reply)
                case .resume(let reply): transfers.resume(reply)
                case .stop(let reply): transfers.stop(reply)
                case .close:
                    transfers.endAll()
                    end(loop)
                    return
                }
            }
            underway_loop_perform(loop.pointer)
            transfers.endDone()
            transfers.endOverdue(now: .now)
            underway_loop_wait(loop.pointer, TransferLimits.idleMilliseconds)
        }
    }

    /// Frees the loop; requests that were enqueued after the end fail.
    private func end(_ loop: Loop) {
        let late = state.withLock { state in
            underway_loop_free(loop.pointer)
            state.loop = nil
            defer { state.commands = [] }
            return state.commands
        }
        for case .start(_, _, let reply) in late {
            reply.ended(.failure(.closed))
        }
    }
}
#endif
