import StudyModel

/// Reads the parts that all pages have in common; what cannot be read is left out.
struct FrameLoader {
    private let services: StudyServices
    private let formats: StudyFormats
    private let isSyncing: Bool
    private var words: StudyText { formats.words }

    init(_ services: StudyServices, _ formats: StudyFormats, isSyncing: Bool = false) {
        self.services = services
        self.formats = formats
        self.isSyncing = isSyncing
    }

    /// Fills the navigation, the freshness and the banners of a page.
    func fill(_ frame: inout PageFrame, in section: Section) async {
        let screen = await FreshnessScreen(services, isStarting: isSyncing)
        let waiting = screen.waitingCount
        frame.items = Section.allCases.map { entry in
            PageFrame.Item(
                href: entry.path, icon: entry.rawValue, title: words["nav.\(entry.rawValue)"],
                isCurrent: entry == section,
                badge: entry == .inbox && waiting > 0
                    ? .init(
                        count: formats.number(waiting), words: words.count("nav.waiting", waiting))
                    : nil)
        }
        let line = FreshnessText(screen, formats)
        frame.freshness = PageFrame.Freshness(line)
        frame.banners = line.banners.map { PageFrame.Banner($0, words) }
    }
}
