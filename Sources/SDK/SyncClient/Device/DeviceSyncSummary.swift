import ContentModel
import Foundation
import OfflineStorage

/// A ``DeviceSyncResult`` as a value with the JSON form of `sync --json`.
package struct DeviceSyncSummary: Sendable, Hashable, Codable {
    /// The outcome of the content.
    package enum Outcome: String, Sendable, Codable {
        case notDue
        case upToDate
        case installed
        case repaired
        case refused
        case banned
        case keptNewer
        case failed
    }

    /// The traffic of user data.
    package struct UserDataCounts: Sendable, Hashable, Codable {
        /// The reason why user data was not fully synced; `nil` when both sides are equal.
        package var problem: String?
        /// True when there is no server of user data at the address; else `nil`.
        package var isUnserved: Bool?
        /// The number of requests.
        package var requests: Int
        /// The bytes of sent bodies, as they crossed the network.
        package var sentBytes: Int
        /// The bytes of received bodies, decompressed.
        package var receivedBytes: Int
        /// The number of changes and answers that the server accepted.
        package var pushed: Int
        /// The number of records and answers from the server.
        package var pulled: Int
        /// The number of changes and answers that the server does not have yet.
        ///
        /// `nil`, as the next two, when no server was asked, or when the counts cannot be read.
        package var waiting: Int?
        /// The number of conflicts that the user must resolve.
        package var conflicts: Int?
        /// The number of changes that the server rejected, until the user dismisses them.
        package var refusedCount: Int?
    }

    /// Requested audio that could not be fetched.
    package struct Audio: Sendable, Hashable, Codable {
        /// The language.
        package var language: String
        /// The reason.
        package var problem: String
    }

    /// A session whose points changed because keys were corrected.
    package struct Corrected: Sendable, Hashable, Codable {
        /// The session's id.
        package var session: String
        /// The name of the bank.
        package var bank: String
        /// The number of right answers before.
        package var formerCorrect: Int
        /// The number of right answers now.
        package var correct: Int
        /// The number of questions.
        package var questions: Int
    }

    /// A document that this version of the app cannot read, or that was not delivered.
    package struct Refused: Sendable, Hashable, Codable {
        /// The kind of document; `files` for files that are fetched on demand.
        package var kind: String
        /// The name in the manifest.
        package var key: String
        /// The release with the document.
        package var release: Int
        /// The reason.
        package var reason: String
        /// The release whose document is shown instead, if any.
        package var shownRelease: Int?
    }

    /// A document that is shown without some of its parts.
    package struct LeftOut: Sendable, Hashable, Codable {
        /// The kind of document.
        package var kind: String
        /// The name in the manifest.
        package var key: String
        /// The number of omitted parts.
        package var count: Int
        /// The reason for the first of them.
        package var reason: String
    }

    /// A newer release whose rollout has not reached this device.
    package struct Held: Sendable, Hashable, Codable {
        /// The number of the release.
        package var release: Int
        /// The obstacle to it: `paused`, `appVersion` or `share`.
        package var reason: String
        /// The share of devices that have it, in percent; `nil` for another obstacle.
        package var percent: Int?
    }

    /// The outcome of the content.
    package var outcome: Outcome
    /// The value of the outcome.
    package var detail: SyncOutcomeDetail
    /// The number of requests for content.
    package var requests: Int
    /// The bytes of bodies, as they crossed the network.
    package var bodyBytes: Int
    /// The number of fetched blueprints.
    package var blueprints: Int
    /// The number of files that were fetched on demand.
    package var files: Int
    /// The version of the app.
    package var appVersion: String
    /// The traffic of user data; `nil` when there was nothing to sync.
    package var userData: UserDataCounts?
    /// The audio that could not be fetched; `nil` for none.
    package var unfetchedAudio: [Audio]?
    /// The sessions whose points changed because keys were corrected; `nil` for none.
    package var corrected: [Corrected]?
    /// The listed refused documents.
    package var refused: [Refused]
    /// The number of all refused documents.
    package var refusedCount: Int
    /// The documents that are shown without some of their parts.
    package var leftOut: [LeftOut]
    /// The reason why files came from the manifest's own address; `nil` when they did not.
    package var contentBaseProblem: String?
    /// The reason why a changeset was not used; `nil` if there was none or it was used.
    package var changesetProblem: String?
    /// The release that this device does not install yet; `nil` for none.
    package var held: Held?
    /// True if only signed releases are accepted.
    package var isSigned: Bool
    /// The time until which signatures confirm that the content is the newest; `nil` without a pinned root.
    package var confirmedUntil: String?
}

extension DeviceSyncSummary {
    /// Summarizes a result.
    package init(_ result: DeviceSyncResult, appVersion: String) {
        let content = result.content
        (outcome, detail) = Self.outcome(content.outcome)
        requests = content.tally.requests
        bodyBytes = content.tally.bodyBytes
        blueprints = content.tally.blueprints
        files = content.tally.files
        self.appVersion = appVersion
        userData = result.userData.map { UserDataCounts($0, result.status) }
        let unfetched = result.unfetchedAudio.map {
            Audio(language: $0.language, problem: $0.failure.message)
        }
        unfetchedAudio = unfetched.isEmpty ? nil : unfetched
        let results = result.correctedResults.map { result in
            Corrected(
                session: result.id, bank: result.bank.name,
                formerCorrect: result.formerCorrectCount, correct: result.correctCount,
                questions: result.questionCount)
        }
        corrected = results.isEmpty ? nil : results
        refused = content.refused.map {
            Refused(
                kind: $0.kind?.rawValue ?? "files", key: $0.key, release: $0.release,
                reason: $0.reason, shownRelease: $0.shownRelease)
        }
        refusedCount = content.refused.count + content.unlistedRefusedCount
        leftOut = content.partial.map {
            LeftOut(kind: $0.kind.rawValue, key: $0.key, count: $0.leftOutCount, reason: $0.reason)
        }
        contentBaseProblem = content.contentBaseProblem
        changesetProblem = content.changesetProblem
        held = content.heldRelease.map(Held.init)
        isSigned = content.isSigned
        confirmedUntil = content.confirmedUntil.map { $0.formatted(.iso8601) }
    }

    private static func outcome(_ outcome: SyncOutcome) -> (Outcome, SyncOutcomeDetail) {
        switch outcome {
        case .notDue(let date): (.notDue, .text(date.formatted(.iso8601)))
        case .upToDate: (.upToDate, .none)
        case .installed(let release): (.installed, .number(release))
        case .repaired(let count): (.repaired, .number(count))
        case .refused(let error): (.refused, .text(error.message))
        case .banned(let error): (.banned, .text(error.message))
        case .keptNewer(let installed, let offered, let until):
            (
                .keptNewer,
                .releases(
                    installed: installed, offered: offered, until: until.formatted(.iso8601))
            )
        case .failed(let failure): (.failed, .text(failure.code.rawValue))
        }
    }
}

extension DeviceSyncSummary.Held {
    fileprivate init(_ held: DeferredRelease) {
        release = held.release
        switch held.obstacle {
        case .paused: reason = "paused"
        case .appVersion: reason = "appVersion"
        case .share(let share): (reason, percent) = ("share", share)
        }
    }
}

extension DeviceSyncSummary.UserDataCounts {
    fileprivate init(_ report: UserDataReport, _ status: UserDataStatus?) {
        problem = report.problem
        isUnserved = report.serverHasNoUserData ? true : nil
        requests = report.requests
        sentBytes = report.sentBytes
        receivedBytes = report.receivedBytes
        pushed = report.pushed
        pulled = report.pulled
        guard !report.serverHasNoUserData, let status else { return }
        waiting = status.waitingCount
        conflicts = status.conflictCount
        refusedCount = status.rejectedCount
    }
}
