import ArgumentParser

/// The help of the program as a whole: every command once, in groups, on one screen.
enum CommandOverview {
    /// Commands for one kind of work.
    struct Group {
        let title: String
        let lines: [Line]
    }

    /// One command, or a few that belong together.
    struct Line {
        let commands: [any ParsableCommand.Type]
        let summary: String

        init(_ commands: any ParsableCommand.Type..., summary: String) {
            self.commands = commands
            self.summary = summary
        }
    }

    /// The width of the help in columns, as the parser wraps that of commands.
    static let width = 80

    /// All commands of the program, which ``Tool`` configures from here.
    static let groups = [
        Group(
            title: "Author",
            lines: [
                Line(InitCommand.self, summary: "Create a content folder to start from"),
                Line(
                    CheckCommand.self, DevCommand.self,
                    summary: "Find errors in the content, once or at each save"),
                Line(
                    ImportCommand.self, ExportCommand.self,
                    summary: "Read question banks of other programs, and write them"),
                Line(AnnounceCommand.self, summary: "Draft an announcement"),
                Line(
                    PublishCommand.self,
                    summary: "Check the content and make a release of what changed"),
                Line(
                    StatusCommand.self, DiffCommand.self, HistoryCommand.self,
                    summary: "Show what would change, and who published what"),
                Line(
                    RolloutCommand.self, RollbackCommand.self,
                    summary: "Release to a share of the devices; undo a release"),
                Line(TrustCommand.self, summary: "Sign releases, so that devices accept no others"),
                Line(BundleCommand.self, summary: "Write the content that ships inside the app"),
                Line(
                    AnalyseCommand.self,
                    summary: "Find questions that are too hard or wrongly keyed"),
            ]),
        Group(
            title: "Device",
            lines: [
                Line(SyncCommand.self, summary: "Fetch new content, and sync the user's data"),
                Line(
                    StudyCommand.self, AppCommand.self,
                    summary: "Learn in the terminal or in the browser, also offline"),
                Line(
                    AccountCommand.self, AnswersCommand.self,
                    summary: "Change the user's account; write the answers as a table"),
                Line(
                    FavouriteCommand.self, ReserveCommand.self,
                    summary: "Mark questions; plan exams"),
                Line(
                    OutboxCommand.self, ConflictsCommand.self,
                    summary: "Show unsent changes; resolve conflicts"),
            ]),
        Group(
            title: "Server",
            lines: [
                Line(ServeCommand.self, summary: "Serve releases and the users' data"),
                Line(
                    BoardCommand.self, EventCommand.self,
                    summary: "Manage leaderboards and live events"),
                Line(RoleCommand.self, summary: "Grant, revoke and list the roles of accounts"),
                Line(
                    ProposalsCommand.self, RegradeCommand.self,
                    summary: "Fix wrong keys, and grade earlier answers again"),
                Line(
                    UptakeCommand.self, LoopCommand.self,
                    summary: "Show which releases devices have, and the pace of fixes"),
            ]),
        Group(
            title: "Maintenance",
            lines: [
                Line(
                    DatabaseCommand.self,
                    summary: "Check, migrate, copy and export the users' database"),
                Line(AuditCommand.self, summary: "Show who did what on the server"),
                Line(PruneCommand.self, summary: "Remove old releases"),
                Line(DemoCommand.self, summary: "Play the whole story with sample content"),
            ]),
    ]

    /// The text of `underway --help`.
    static var text: String {
        let sections = groups.map { group in
            ([group.title] + group.lines.map(\.text)).joined(separator: "\n")
        }
        return """
            \(Tool.configuration.abstract)

            USAGE: underway <command> [options], or underway --version

            \(sections.joined(separator: "\n\n"))

            \(exitCodes)
            `underway help <command>` explains a command and shows an example.
            """
    }

    /// The exit codes in a few words each.
    private static var exitCodes: String {
        let codes = CommandFailure.Code.allCases.map { "\($0.exitCode.rawValue) \($0.label)" }
        return wrapped(["Exit codes: 0 done"] + codes) + "."
    }

    /// Joins items in lines of at most ``width`` columns.
    private static func wrapped(_ items: [String]) -> String {
        var lines = [""]
        for item in items {
            let line = lines[lines.count - 1]
            let longer = line.isEmpty ? item : line + ", " + item
            if longer.count < width {
                lines[lines.count - 1] = longer
            } else {
                lines.append(item)
            }
        }
        return lines.joined(separator: ",\n")
    }
}

extension CommandOverview.Line {
    /// The column of the summaries.
    private static let column = 25

    fileprivate var text: String {
        let names = "  " + commands.map { $0._commandName }.joined(separator: ", ")
        return names + String(repeating: " ", count: max(2, Self.column - names.count)) + summary
    }
}
