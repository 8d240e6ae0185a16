import ContentModel
import Foundation
import SyncClient

/// A device in a process of its own: JSON commands on standard input, JSON replies on standard output.
///
/// A reply to a write is printed only after the SDK has returned, so whatever was printed was
/// acknowledged to the user. Syncs run beside the commands that follow them.
@main
enum DeviceDriver {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let offset = Double(arguments[3]) else {
            print("usage: DeviceDriver SERVER FOLDER CLOCK-OFFSET-SECONDS [MISTAKE]")
            exit(64)
        }
        let device = try Device(
            server: arguments[1], folder: arguments[2], offset: offset,
            mistake: arguments.count > 4 ? Mistake(rawValue: arguments[4]) : nil)
        let replies = Replies()
        replies.send(0, try device.place())
        await withDiscardingTaskGroup { group in
            for await line in lines() {
                guard
                    let command = try? JSONDecoder().decode(Command.self, from: Data(line.utf8))
                else {
                    replies.send(-1, ["error": .string("unreadable: \(line)")])
                    continue
                }
                if command.action == .sync {
                    group.addTask { await reply(to: command, device, replies) }
                } else {
                    await reply(to: command, device, replies)
                }
            }
        }
        device.transport.close()
    }

    /// The lines of standard input, read on a thread that may wait.
    private static func lines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }

    private static func reply(
        to command: Command, _ device: Device, _ replies: Replies
    ) async {
        do {
            replies.send(command.id, try await result(of: command, device))
        } catch {
            let problem = (error as? ServiceError)?.message ?? String(reflecting: error)
            replies.send(command.id, ["error": .string(problem)])
        }
    }

    private static func result(
        of command: Command, _ device: Device
    ) async throws -> [String: JSONValue] {
        switch command.action {
        case .see: return try device.look(command)
        case .put, .delete, .count, .answer, .together: return try device.write(command)
        case .sync: return try await device.syncOnce()
        case .status: return try device.place()
        case .dump: return try device.dump()
        case .conflicts: return ["inbox": try device.conflicts()]
        case .settle:
            try device.settle(command)
            return [:]
        case .export:
            return [
                "export": .string(
                    String(decoding: try await device.account.export(), as: UTF8.self))
            ]
        case .upgrade, .signIn, .signOut: return try await device.identify(command)
        case .clock:
            device.clock.set(command.offset ?? 0)
            return [:]
        }
    }
}
