import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show unsent changes, changes that the server refused, and the last sync.",
        examples: ["underway outbox", "underway outbox --dismiss 3"])

    @OptionGroup var store: UserDataOptions
    @Flag(help: "Print JSON, also for errors.") var json = false

    @Option(help: "Discard the refused change with this number.")
    var dismiss: UInt64?

    func run() async throws {
        try await reportingErrors {
            let store = try store.openUserData()
            let refused = try store.rejected()
            if let dismiss {
                guard let change = refused.first(where: { $0.operation.id.counter == dismiss })
                else {
                    throw CommandFailure(
                        .notFound, "No refused change has the number \(dismiss).")
                }
                try store.dismiss(change.operation.id, now: Date())
                return Console.say("Discarded.", json: ["dismissed": .integer(Int(dismiss))])
            }
            let status = try store.status()
            let outbox = try store.outbox()
            if json { return Console.say(json: Self.json(status, outbox, refused)) }
            Console.say(status.text)
            for pending in outbox {
                Console.say(
                    "  \(UserDataText.key(pending.operation.key))"
                        + "  \(UserDataText.change(pending.operation.change))"
                        + "  (\(UserDataText.time(pending.madeAt)))")
            }
            let answers = status.waitingCount - outbox.count
            if answers > 0 { Console.say("  \(Console.count(answers, "answer"))") }
            for change in refused {
                Console.say(
                    Console.styled("refused", .red)
                        + " \(change.operation.id.counter): \(UserDataText.key(change.operation.key))"
                        + "  \(UserDataText.change(change.operation.change))"
                        + "  (\(change.refusal.rawValue))")
            }
        }
    }

    private static func json(
        _ status: UserDataStatus, _ outbox: [PendingChange],
        _ refused: [RejectedChange]
    ) -> JSONValue {
        status.json.with([
            "answers": .integer(status.waitingCount - outbox.count),
            "changes": .array(
                outbox.map {
                    [
                        "record": .string(UserDataText.key($0.operation.key)),
                        "change": .string(UserDataText.change($0.operation.change)),
                        "madeAt": .string(UserDataText.time($0.madeAt)),
                    ]
                }),
            "refused": .array(
                refused.map {
                    [
                        "number": .integer(Int($0.operation.id.counter)),
                        "record": .string(UserDataText.key($0.operation.key)),
                        "change": .string(UserDataText.change($0.operation.change)),
                        "reason": .string($0.refusal.rawValue),
                    ]
                }),
        ])
    }
}

extension UserDataStatus {
    var json: JSONValue {
        .compact([
            "waiting": .integer(waitingCount), "synced": .bool(isSynced),
            "differingAnswers": differingAnswerCount > 0 ? .integer(differingAnswerCount) : nil,
            "conflicts": .integer(conflictCount), "refusedCount": .integer(rejectedCount),
            "notices": noticeCount > 0 ? .integer(noticeCount) : nil,
            "othersWaiting": othersWaiting > 0 ? .integer(othersWaiting) : nil,
            "lastTry": lastTry.map { .string($0.date.formatted(.iso8601)) },
            "lastProblem": lastTry?.problem.map { .string($0) },
        ])
    }

    /// One line, as "3 changes wait since 10:02, last try: offline".
    var text: String {
        var parts: [String] = []
        if waitingCount > 0 {
            let verb = waitingCount == 1 ? "waits" : "wait"
            let since = waitingSince.map { " since \($0.formatted(.iso8601))" } ?? ""
            // Answers alone have no time.
            let noun = waitingSince == nil ? "answer" : "change"
            parts.append("\(Console.count(waitingCount, noun)) \(verb)\(since)")
        } else {
            parts.append(isSynced ? "Everything is on the server" : "Nothing waits")
        }
        if differingAnswerCount > 0 {
            let noun = Console.count(differingAnswerCount, "answer")
            parts.append("this device and the server differ in \(noun)")
        }
        if isDeleting {
            parts.append(
                "the server has not confirmed yet that the account is deleted (each sync asks again)"
            )
        }
        if conflictCount > 0 {
            parts.append(
                "\(Console.count(conflictCount, "conflict")) to resolve (underway conflicts)")
        }
        if rejectedCount > 0 {
            parts.append(
                "\(Console.count(rejectedCount, "change")) refused by the server (underway outbox)")
        }
        if noticeCount > 0 {
            let verb = noticeCount == 1 ? "was" : "were"
            parts.append(
                "\(Console.count(noticeCount, "change")) \(verb) replaced by a later one"
                    + " (underway conflicts notices)")
        }
        if othersWaiting > 0 {
            let verb = othersWaiting == 1 ? "waits" : "wait"
            parts.append(
                "\(Console.count(othersWaiting, "change")) of others \(verb) on this device"
                    + " (underway account others)")
        }
        if let lastTry {
            let when = lastTry.date.formatted(.iso8601)
            parts.append("last try: \(lastTry.problem ?? "went well") (\(when))")
        } else {
            parts.append("not synced yet")
        }
        return parts.joined(separator: ", ") + "."
    }
}
