import ArgumentParser
import ContentModel
import Foundation
import Operations
import Review
import ServiceAPI

/// The command for the time that a wrong key takes from its first flag to every device.
struct LoopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loop",
        abstract: "Show how fast wrong keys are found, fixed and on every device.",
        examples: ["underway loop status --data users"],
        subcommands: [Status.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show open proposals, the time of fixes, and when devices got them.",
            examples: ["underway loop status --data users"])

        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            let status = try await storage.withUsers { users in
                LoopStatus(
                    proposals: try await users.neededReview.proposals(
                        in: Set(Proposal.State.allCases), limit: ServiceLimits.proposalsMax),
                    spread: try await users.uptake?.spread() ?? [])
            }
            Console.say(status.text, json: status.json)
        }
    }
}

/// The time until wrong keys are found, fixed and on every device.
struct LoopStatus {
    var proposals: [Proposal]
    var spread: [ReleaseSpread]

    private var shipped: [Proposal] { proposals.filter { $0.state == .shipped } }

    private func count(_ state: Proposal.State) -> Int {
        proposals.count { $0.state == state }
    }

    /// The status in words.
    var text: String {
        var lines = [
            "\(count(.open)) open, \(count(.confirmed)) confirmed and not shipped,"
                + " \(count(.shipped)) shipped, \(count(.dismissed)) dismissed."
        ]
        lines += shipped.map { proposal in
            let at = proposal.shippedAt ?? proposal.changedAt
            return
                "\(proposal.bank) \(proposal.question): fixed in release \(proposal.release ?? 0),"
                + " \(Self.duration(at - proposal.flaggedAt)) after its flag"
                + (proposal.decision.map {
                    ", \(Self.duration(at - $0.at)) after its confirmation"
                } ?? "")
        }
        lines += spread.map { spread in
            let times = zip(["50 %", "95 %", "99 %"], spread.reachedAt).map { share, time in
                "\(share) \(time.map { "after \(Self.duration($0 - spread.servedAt))" } ?? "not yet")"
            }
            return "Release \(spread.release): \(times.joined(separator: ", ")) of the devices"
        }
        return lines.joined(separator: "\n")
    }

    /// The status as JSON; durations in seconds.
    var json: JSONValue {
        [
            "open": .integer(count(.open)), "confirmed": .integer(count(.confirmed)),
            "dismissed": .integer(count(.dismissed)),
            "shipped": .array(
                shipped.map { proposal in
                    let at = proposal.shippedAt ?? proposal.changedAt
                    return .compact([
                        "proposal": .integer(Int(proposal.number)), "bank": .string(proposal.bank),
                        "question": .string(proposal.question),
                        "release": proposal.release.map { .integer($0) },
                        "secondsSinceFlag": .integer(max(0, Int(at - proposal.flaggedAt) / 1000)),
                        "secondsSinceDecision": proposal.decision.map {
                            .integer(max(0, Int(at - $0.at) / 1000))
                        },
                    ])
                }),
            "releases": .array(
                spread.map { spread in
                    let seconds = spread.reachedAt.map { time -> JSONValue in
                        time.map { .integer(max(0, Int($0 - spread.servedAt) / 1000)) } ?? .null
                    }
                    return [
                        "release": .integer(spread.release),
                        "servedAt": .string(
                            Date(milliseconds: spread.servedAt).formatted(.iso8601)),
                        "secondsTo50": seconds[0], "secondsTo95": seconds[1],
                        "secondsTo99": seconds[2],
                    ]
                }),
        ]
    }

    private static func duration(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
