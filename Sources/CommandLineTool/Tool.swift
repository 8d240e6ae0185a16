import ArgumentParser

/// The one program: authors publish with it, operators serve with it, learners study with it.
@main
struct Tool: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "underway",
        abstract: "Ship an app's content apart from the app, and keep every device up to date.",
        discussion: """
            Exit codes: 0 done; 1 the content has errors; 2 served files were edited by hand; \
            3 the network or the server failed; 4 there is no such release or content; \
            5 another publish is running; 6 a file cannot be read or written; 64 wrong usage.
            """,
        version: version,
        subcommands: [
            InitCommand.self, CheckCommand.self, PublishCommand.self, StatusCommand.self,
            DiffCommand.self, RollbackCommand.self, PruneCommand.self, BundleCommand.self,
            AnnounceCommand.self, ImportCommand.self, ExportCommand.self, AnalyseCommand.self,
            ServeCommand.self,
            DevCommand.self, SyncCommand.self, StudyCommand.self, ConflictsCommand.self,
            OutboxCommand.self, FavouriteCommand.self, ReserveCommand.self,
            AccountCommand.self, DatabaseCommand.self, DemoCommand.self,
        ])
}
