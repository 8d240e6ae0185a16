import ArgumentParser
import ContentModel
import Publishing

struct AnnounceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Draft an announcement: a file with all fields of its type.",
        discussion: """
            Your texts are written in the first language of `announcements.languages` in underway.yaml. Fill in the \
            other languages; `underway check` names those that are missing.
            """,
        examples: ["underway announce information --title Hello --text Welcome"])

    @Argument(
        help: ArgumentHelp(
            "The type of the announcement.",
            valueName: AnnouncementType.allCases.map(\.rawValue).joined(separator: "|")))
    var type: AnnouncementTypeArgument

    @Option(help: "The content folder (default: content).", transform: PathArgument.path)
    var content = "content"

    @Option(help: "The headline.")
    var title = ""

    @Option(help: "The message.")
    var text = ""

    @Option(help: "The title of its button.")
    var button = ""

    @Option(help: "The target of the button: an address, or an email address for the type email.")
    var link: String?

    @Option(help: "An asset to show.")
    var image: String?

    @Option(help: "A description of the image.")
    var imageLabel = ""

    @Option(help: "Show it from this time on, for example 2026-11-21T10:00:00Z.")
    var start: String?

    @Option(help: "Show it until this time.")
    var end: String?

    @Option(help: "The newest app version that shows it.")
    var maximumAppVersion: String?

    @Option(parsing: .upToNextOption, help: "Only users of these languages.")
    var language: [String] = []

    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        var draft = AnnouncementDraft(type.type)
        (draft.title, draft.content, draft.button) = (title, text, button)
        (draft.link, draft.image, draft.imageLabel) = (link, image, imageLabel)
        (draft.start, draft.end, draft.maximumAppVersion) = (start, end, maximumAppVersion)
        draft.languages = language
        let (path, problems) = try await reportingErrors { [draft] in
            try draft.write(to: content)
        }
        if Console.isJSON {
            return Console.say(json: [
                "file": .string("\(content)/\(path)"),
                "toDo": ProblemReport.json(problems)["problems"] ?? [],
            ])
        }
        Console.say("Wrote \(content)/\(path).")
        guard !problems.isEmpty else {
            Console.say("It is complete; `underway publish` brings it to the users.")
            return
        }
        Console.say("Still to be done:")
        for problem in problems { Console.say("  \(problem.summary)") }
    }
}

/// A type of announcement as an argument.
struct AnnouncementTypeArgument: ExpressibleByArgument {
    let type: AnnouncementType

    init?(argument: String) {
        guard let type = AnnouncementType(rawValue: argument) else { return nil }
        self.type = type
    }

    static let allValueStrings = AnnouncementType.allCases.map(\.rawValue)
}
