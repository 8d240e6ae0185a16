import Foundation
import StudyModel
import Underway

/// Reads the parts that all pages have in common; what cannot be read is left out.
struct FrameReading {
    /// The age from which the content counts as stale, in seconds.
    static let staleSeconds: TimeInterval = 14 * 86_400

    private let services: StudyServices
    private let formats: StudyFormats
    private let isSyncing: Bool
    private var words: StudyWords { formats.words }

    init(_ services: StudyServices, _ formats: StudyFormats, isSyncing: Bool = false) {
        self.services = services
        self.formats = formats
        self.isSyncing = isSyncing
    }

    /// Fills the navigation, the freshness and the banners of a page.
    func fill(_ frame: inout PageFrame, in section: Section) async {
        // The page itself reports a store that cannot be read.
        let status = try? await services.userData.status()
        let waiting = (status?.conflictCount ?? 0) + (status?.rejectedCount ?? 0)
        frame.items = Section.allCases.map { entry in
            PageFrame.Item(
                href: entry.path, icon: entry.rawValue, title: words["nav.\(entry.rawValue)"],
                isCurrent: entry == section,
                badge: entry == .inbox && waiting > 0
                    ? .init(
                        count: formats.number(waiting), words: words.count("nav.waiting", waiting))
                    : nil)
        }
        let content = try? await services.content.freshness()
        frame.freshness = FreshnessLine(
            content: content ?? nil, sync: services.sync, userData: status, now: services.clock(),
            isSyncing: isSyncing
        ).shown(formats)
        frame.banners = banners(status)
    }

    private func banners(_ status: UserDataStatus?) -> [PageFrame.Banner] {
        guard let status else { return [] }
        var banners: [PageFrame.Banner] = []
        if status.needsSignIn {
            banners.append(
                .init(
                    tone: "care", icon: "warning",
                    sentence: words.count("banner.signInToSend", status.waitingCount),
                    link: .init(href: "/account", title: words["banner.signIn"])))
        }
        if status.rejectedCount > 0 {
            banners.append(
                .init(
                    tone: "wrong", icon: "warning",
                    sentence: words.count("banner.rejected", status.rejectedCount),
                    link: .init(href: "/inbox", title: words["banner.look"])))
        }
        return banners
    }
}
