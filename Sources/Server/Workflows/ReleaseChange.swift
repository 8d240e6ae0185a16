import Accounts
import ContentModel
import Foundation
import Ledger
package import Publishing
import ServiceAPI

/// The creation of a release: from the content folder, from an older release, or of the same content for other devices.
///
/// The release precedes its audit entry, since they share no transaction. If the process ends between them, a repeated
/// publish writes the entry with the original publisher's name.
package struct ReleaseChange: Workflow {
    /// The kind of release.
    package enum Action: Sendable {
        /// The content folder.
        case publish
        /// The content of an older release.
        case rollBack(to: Int)
        /// The current content, for other devices.
        case rollOut(RolloutChange)
    }

    private let action: Action
    /// The options of the publish; the workplace and the actor define the folders, the keys and the author.
    package var options = Publisher(folder: "", releaseDirectory: "")
    /// The current release when the rollback was shown; `nil` to roll back any release.
    package var current: Int?
    /// Returns false for differences that are not to be published; `nil` to publish all.
    var onlyIf: (@Sendable (ReleaseDiff) -> Bool)?

    package init(_ action: Action) { self.action = action }

    /// Returns a preview of a publish.
    ///
    /// - Throws: `PublishingError`, `contentErrors` if the content has errors (correct them).
    package static func preview(in place: Workplace) throws -> PublishPreview {
        try PublishPreview(place.publisher())
    }

    /// Creates the release and records it.
    ///
    /// - Throws: `PublishingError`, whose message names the live release; ``WorkflowError`` `conflict`, and
    ///   `incomplete` for a release that is live and not recorded (repeat the publish).
    package func run(in place: Workplace, by actor: Actor) async throws -> Outcome {
        var log = StepLog(place)
        let summary = try await take(&log, in: place, by: actor)
        return Outcome(
            sentence: log.sentences.joined(separator: "\n"), json: try JSONValue(encoding: summary),
            summary: summary)
    }

    /// Takes the steps as those of another workflow.
    func take(
        _ log: inout StepLog, in place: Workplace, by actor: Actor
    ) async throws -> PublishSummary {
        let summary = try await log.take(.released, otherwise: "It was not published.") {
            let summary = try await place.threads.run { try release(place, actor) }
            return (summary, sentence(of: summary))
        }
        try await log.take(.recorded, otherwise: "The audit log does not have it.") {
            (try await record(summary, place, actor), nil)
        }
        return summary
    }

    private func release(_ place: Workplace, _ actor: Actor) throws -> PublishSummary {
        var publisher = place.publisher(by: actor, options)
        let now = place.now
        let (seconds, moment) = (Int(now.timeIntervalSince1970), now.formatted(.iso8601))
        switch action {
        case .publish:
            if publisher.keys != nil { try publisher.checkIsSigned() }
            if let onlyIf {
                let preview = try PublishPreview(publisher)
                guard onlyIf(preview.difference) else {
                    throw WorkflowError(
                        .conflict,
                        "Other changes wait as well, so nothing was published: look at all of them before you publish."
                    )
                }
                publisher.expectedFingerprint = preview.fingerprint
            }
            return try publisher.publish(nowSeconds: seconds, generatedAt: moment)
        case .rollBack(let number):
            if let current, try publisher.publications().last?.release != current {
                throw PublishingError(
                    .drift, "Another release came out meanwhile. Nothing was changed; look again.")
            }
            return try publisher.rollback(
                to: number, nowSeconds: seconds, generatedAt: moment)
        case .rollOut(let change):
            return try publisher.changeRollout(
                change, nowSeconds: seconds, generatedAt: moment)
        }
    }

    private func sentence(of summary: PublishSummary) -> String {
        if case .rollBack(let number) = action {
            return
                "Release \(summary.release) has the content of release \(number). The content folder still has the newer content."
        }
        guard summary.isNew else { return "Nothing changed; release \(summary.release) stays." }
        return summary.rollout?.sentence(of: summary.release)
            ?? "Release \(summary.release) is out. Phones get it with their next poll."
    }

    /// Writes the release into the audit log, unless that has it.
    private func record(
        _ summary: PublishSummary, _ place: Workplace, _ actor: Actor
    ) async throws {
        guard let administration = place.users?.administration else { return }
        let entry: AuditEntry.Action
        switch action {
        case .publish: entry = .contentPublished
        case .rollBack: entry = .contentRolledBack
        case .rollOut: return
        }
        let number = String(summary.release)
        var name = actor.address
        if !summary.isNew {
            let known = try await administration.entries(
                limit: ServiceLimits.auditPageMax, action: "content")
            let made = try await place.threads.run {
                try place.publications().last { $0.release == summary.release }
            }
            guard !known.contains(where: { $0.subject == number }), let made,
                made.action == .publish
            else { return }
            name = made.author
        }
        try await administration.note(entry, number, name, by: actor.id)
    }
}
