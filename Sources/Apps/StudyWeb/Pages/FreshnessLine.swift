import StudyModel

extension PageFrame.Freshness {
    /// Shows the line of freshness, with the button that asks for new content.
    init(_ words: FreshnessText) {
        icon =
            switch words.kind {
            case .content: "cloud"
            case .upToDate: "check"
            case .offline: "cloud-off"
            case .failed: "warning"
            }
        (sentence, isOld) = (words.sentence, words.isOld)
        button = words.check.map { .init(action: "/sync", title: $0) }
        link = words.changes.map { .init(href: "/updates", title: $0) }
        isRunning = words.isRunning
        progress = words.fractionDone.map {
            .init(name: words.sentence, value: Int($0 * 100), max: 100)
        }
    }
}

extension PageFrame.Banner {
    /// Shows a decision that waits, with the link to where it is taken.
    init(_ banner: FreshnessText.Banner, _ words: StudyText) {
        (icon, sentence) = ("warning", banner.sentence)
        let title = words[banner.actionKey]
        switch banner {
        case .signIn:
            (tone, link) = ("care", .init(href: AccountStep.signIn.path, title: title))
        case .rejected: (tone, link) = ("wrong", .init(href: "/inbox", title: title))
        }
    }
}
