import StudyModel

/// The values of an exam's overview.
struct OverviewView {
    struct Place {
        var href: String
        var number: String
        var name: String
        var isAnswered: Bool
        var isFlagged: Bool
    }

    var back: PageFrame.Link
    var action: String
    var lead: String
    var questions: [Place]
    /// The question before an exam with open questions is handed in; `nil` when none is open.
    var openText: String?
    var clock: ClockView?

    init(_ screen: SessionScreen, _ formats: StudyFormats) {
        let words = formats.words
        let address = "/session/\(screen.id)"
        back = .init(
            href: "\(address)/\(screen.index + 1)", title: words["simulation.backToQuestion"])
        action = "\(address)/finish"
        let overview = OverviewText(screen, formats)
        (lead, openText) = (overview.lead, overview.openQuestion)
        clock = ClockView(screen, formats)
        questions = overview.places.map { place in
            Place(
                href: "\(address)/\(place.id + 1)", number: place.number, name: place.name,
                isAnswered: place.isAnswered, isFlagged: place.isFlagged)
        }
    }
}
