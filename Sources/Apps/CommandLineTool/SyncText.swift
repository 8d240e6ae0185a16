import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension SyncReport {
    /// The outcome in one or two sentences.
    var text: String {
        let moved =
            "\(Console.count(tally.blueprints, "blueprint")),"
            + " \(Console.count(tally.requests, "request")), \(Console.bytes(tally.bodyBytes))"
            + (isSigned ? "" : ", unsigned")
        return switch outcome {
        case .notDue(let date):
            "Checked not long ago; the next check is due at \(date.formatted(.iso8601))."
                + " --force asks now."
        case .upToDate: "Up to date (\(moved))."
        case .installed(let release): "Installed release \(release) (\(moved))."
        case .repaired(let count): "Repaired \(Console.count(count, "document")) (\(moved))."
        case .refused where isUndelivered:
            "The newest release is installed, but for what has not arrived yet (\(moved))."
        case .refused where !refused.isEmpty:
            "The newest release is installed, but for what this version cannot read (\(moved))."
        case .refused(let error): "The new release was refused: \(error.message)"
        case .banned(let error):
            "The newest release is banned on this device: \(error.message) What is installed stays."
                + " Publish a corrected release, or try this one again with --lift-bans."
        case .keptNewer(let installed, let offered, let until):
            "Kept release \(installed): the host offers the older release \(offered), as a copy of it"
                + " does that is behind. That one is installed if it is still offered at"
                + " \(until.formatted(.iso8601)), or with --force."
        case .failed(let failure): "Not synced: \(failure.message) What is installed stays."
        }
    }
}

extension UserDataReport {
    /// Returns the counts of the sync, and what waits if the status is known.
    func text(_ status: UserDataStatus?) -> String {
        var text =
            "User data: sent \(pushed), received \(pulled)"
            + " (\(Console.count(requests, "request")), \(Console.bytes(sentBytes)) up,"
            + " \(Console.bytes(receivedBytes)) down)."
        if let problem {
            let end = problem.hasSuffix(".") ? "" : "."
            text = "User data not synced: \(problem)\(end) Nothing is lost."
        }
        guard !serverHasNoUserData, let status else { return text }
        let more = [
            status.waitingCount > 0 ? "\(status.waitingCount) wait" : nil,
            status.conflictCount > 0
                ? "\(Console.count(status.conflictCount, "conflict")) (underway conflicts list)"
                : nil,
            status.rejectedCount > 0 ? "\(status.rejectedCount) refused (underway outbox)" : nil,
        ].compactMap { $0 }
        return more.isEmpty ? text : text + " " + more.joined(separator: ", ") + "."
    }
}

extension CorrectedResult {
    /// The points of a session before and after a correction, in one sentence.
    var text: String {
        let day = startedAt.formatted(.iso8601.year().month().day())
        return "A question was corrected: your result of \(day) in \(bank.name) is now"
            + " \(correctCount) of \(questionCount). It was \(formerCorrectCount)."
    }
}
