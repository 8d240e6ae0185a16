import Hummingbird
import PageRendering

/// The style, the script and the icons: the only files of the study app.
enum StudyFiles {
    private static let files = PageFiles()

    /// A number that differs after a file changed.
    static var version: UInt64 { files.version }

    /// Adds `GET /files/<name>`.
    static func addRoutes(to router: Router<StudyContext>) {
        router.get("/files/:name") { _, context -> Response in
            guard let name = context.parameters.get("name"), let file = files.response(name) else {
                throw HTTPError(.notFound)
            }
            return file
        }
    }
}
