public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import StudyModel

/// The study app as a server on the loopback, for the browser of the same machine.
public enum StudyApplication {
    /// Builds the app.
    ///
    /// - Parameters:
    ///   - services: The device's services.
    ///   - link: The host name and the secrets, of the last run or new.
    ///   - port: The port on 127.0.0.1; 0 chooses a free one.
    ///   - logger: The log.
    ///   - onListening: A function that is called with the URL to open, which includes the token, and the port.
    /// - Returns: The server.
    /// - Throws: An error of the templates.
    public static func build(
        _ services: StudyServices, link: BrowserLink, port: Int, logger: Logger,
        onListening: @escaping @Sendable (String, Int) async -> Void
    ) throws -> some ApplicationProtocol {
        var random = SystemRandomNumberGenerator()
        let secrets = StudySecrets(link, using: &random)
        let app = try StudyWebApp(services, secrets: secrets)
        return Application(
            router: router(app),
            server: .http1(configuration: .init(idleTimeout: silenceMax)),
            configuration: .init(
                address: .hostname("127.0.0.1", port: port), serverName: "underway",
                availableConnectionsDelegate: MaximumAvailableConnections(connectionsMax)),
            services: [app.work],
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                app.listens(on: port)
                await onListening("http://\(link.host):\(port)/?token=\(secrets.token)", port)
            }, logger: logger)
    }

    /// The maximum number of connections; further ones wait, so that descriptors do not run out.
    private static let connectionsMax = 200
    /// The longest silence of a connection without a whole request, so that none takes a place for ever.
    private static let silenceMax = TimeAmount.seconds(10)

    static func router(_ app: StudyWebApp) -> Router<StudyContext> {
        let router = Router(
            context: StudyContext.self, options: .autoGenerateHeadEndpoints)
        let problems = ProblemPages(app: app)
        router.addMiddleware {
            AccessMiddleware(
                rules: { AccessRules(secrets: app.secrets, port: app.port) },
                strangerPage: { problems.refusal($0) })
            ProblemMiddleware(pages: problems)
        }
        StudyFiles.addRoutes(to: router)
        InstallingPages(app: app).addRoutes(to: router)
        TodayPages(app: app).addRoutes(to: router)
        LibraryPages(app: app).addRoutes(to: router)
        QuestionPages(app: app).addRoutes(to: router)
        ProgressPages(app: app).addRoutes(to: router)
        ResultPages(app: app).addRoutes(to: router)
        SessionPages(app: app).addRoutes(to: router)
        ReportPages(app: app).addRoutes(to: router)
        ConsentPages(app: app).addRoutes(to: router)
        SettingsPages(app: app).addRoutes(to: router)
        LearningPages(app: app).addRoutes(to: router)
        SyncPages(app: app).addRoutes(to: router)
        AccountPages(app: app).addRoutes(to: router)
        FavouritesPages(app: app).addRoutes(to: router)
        FilePages(app: app).addRoutes(to: router)
        MediaPages(app: app).addRoutes(to: router)
        PicturePages(app: app).addRoutes(to: router)
        InboxPages(app: app).addRoutes(to: router)
        ConflictPages(app: app).addRoutes(to: router)
        AnnouncementPages(app: app).addRoutes(to: router)
        BookingsPages(app: app).addRoutes(to: router)
        BoardPages(app: app).addRoutes(to: router)
        EventPages(app: app).addRoutes(to: router)
        UpdatesPages(app: app).addRoutes(to: router)
        return router
    }
}
