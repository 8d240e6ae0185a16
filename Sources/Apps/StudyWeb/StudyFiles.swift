import Hummingbird
import PageRendering
import ServiceAPI

/// The style, the script and the icons: the only files of the study app.
enum StudyFiles {
    private static let files = PageFiles()
    /// The files that are text, as gzip: each is compressed once.
    private static let packed = Dictionary(
        uniqueKeysWithValues: files.names.compactMap { name -> (String, [UInt8])? in
            guard let file = files[name], CompressedReply.isText(file.type) else { return nil }
            return Gzip.packed(file.bytes, level: 9).map { (name, $0) }
        })

    /// A number that differs after a file changed.
    static var version: UInt64 { files.version }

    /// Adds `GET /files/<name>`.
    static func addRoutes(to router: Router<StudyContext>) {
        router.get("/files/:name") { request, context -> Response in
            guard let name = context.parameters.get("name"), let file = files[name] else {
                throw HTTPError(.notFound)
            }
            return CompressedReply.make(
                file.bytes, type: file.type, to: request, packed: packed[name],
                headers: [.cacheControl: PageFiles.caching])
        }
    }
}
