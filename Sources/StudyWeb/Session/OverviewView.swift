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
        let answered = screen.overview.count { $0.isAnswered }
        let open = screen.overview.count - answered
        lead = words.text(
            "simulation.counts",
            [
                "answered": formats.number(answered), "open": formats.number(open),
                "flagged": formats.number(screen.overview.count { $0.isFlagged }),
            ])
        openText = open == 0 ? nil : words.count("simulation.handInOpen", open)
        clock = ClockView(screen, formats)
        questions = screen.overview.enumerated().map { index, place in
            let state = place.isAnswered ? "Answered" : "Open"
            let key = "simulation.cell\(state)\(place.isFlagged ? "Flagged" : "")"
            let number = formats.number(index + 1)
            return Place(
                href: "\(address)/\(index + 1)", number: number,
                name: words.text(key, ["number": number]), isAnswered: place.isAnswered,
                isFlagged: place.isFlagged)
        }
    }
}
