import Foundation
import Underway

/// The status line of freshness as text for a learner.
public struct FreshnessText: Sendable, Hashable {
    /// The kind of the line, which determines its symbol.
    public enum Kind: Sendable, Hashable {
        /// The line has nothing to report.
        case content
        /// The content is the newest.
        case upToDate
        /// There is no network.
        case offline
        /// A check failed.
        case failed
    }

    /// A pending decision of the learner.
    public enum Banner: Sendable, Hashable, Identifiable {
        /// The learner must sign in again, with the sentence.
        case signIn(String)
        /// The server rejected changes, with the sentence.
        case rejected(String)

        /// The decision.
        public var id: Self { self }

        /// The sentence.
        public var sentence: String {
            switch self {
            case .signIn(let sentence), .rejected(let sentence): sentence
            }
        }

        /// The key of the title of its button.
        public var actionKey: String {
            switch self {
            case .signIn: "banner.signIn"
            case .rejected: "banner.look"
            }
        }
    }

    /// The kind.
    public var kind: Kind
    /// The sentence.
    public var sentence: String
    /// True for old content, and without any.
    public var isOld: Bool
    /// The title of the button that checks for new content; `nil` without one.
    public var check: String?
    /// The title of the link to the changes of the last update; `nil` without one.
    public var changes: String?
    /// True while the line changes without an action of the learner.
    public var isRunning = false
    /// The completed fraction of the download, from 0 to 1; `nil` without one.
    public var fractionDone: Double?
    /// The pending decisions, the most urgent first.
    public var banners: [Banner]

    /// Creates the texts of the line in a language.
    public init(_ screen: FreshnessScreen, _ formats: StudyFormats) {
        let words = formats.words
        banners = Self.banners(screen, words)
        guard !screen.isChecking else {
            (kind, sentence, isOld, isRunning) = (
                .content, words["freshness.checking"], false, true
            )
            guard let download = screen.download, let total = download.bytesExpected else { return }
            sentence = words.text(
                "freshness.downloading",
                ["bytes": formats.bytes(download.bytesDone), "totalBytes": formats.bytes(total)])
            fractionDone = download.fractionDone
            return
        }
        (kind, sentence) = Self.line(screen, formats)
        isOld = screen.isOld
        if case .installed = screen.lastCheck {
            changes = words["freshness.seeChanges"]
        } else {
            check = screen.canCheck ? words["freshness.checkNow"] : nil
        }
    }

    private static func line(
        _ screen: FreshnessScreen, _ formats: StudyFormats
    ) -> (Kind, String) {
        let words = formats.words
        if screen.lastCheck == .offline {
            let unsent = screen.unsentCount
            return (
                .offline,
                unsent == 0
                    ? words["freshness.offline"] : words.count("freshness.offlineUnsent", unsent)
            )
        }
        guard let content = screen.content else { return (.content, words["freshness.empty"]) }
        switch screen.lastCheck {
        case .upToDate where screen.isSendingFailed && screen.unsentCount > 0:
            return (.failed, words.count("settings.unsent", screen.unsentCount))
        case .upToDate(let end):
            return (.upToDate, formats.sentence("freshness.checked", end, now: screen.now))
        case .installed(let end):
            return (.upToDate, formats.sentence("freshness.updated", end, now: screen.now))
        case .failed: return (.failed, words["freshness.failed"])
        case .offline, nil:
            return (.content, formats.age(of: content, now: screen.now))
        }
    }

    private static func banners(_ screen: FreshnessScreen, _ words: StudyText) -> [Banner] {
        var banners: [Banner] = []
        if screen.needsSignIn {
            let (some, none) =
                screen.isAccountMoved
                ? ("banner.accountMovedUnsent", "banner.accountMoved")
                : ("banner.signInToSend", "banner.signInAgain")
            banners.append(
                .signIn(
                    screen.unsentCount > 0
                        ? words.count(some, screen.unsentCount) : words[none]))
        }
        if screen.rejectedCount > 0 {
            banners.append(.rejected(words.count("banner.rejected", screen.rejectedCount)))
        }
        return banners
    }
}
