import Foundation
import HTTPTypes
import Hummingbird

/// The style, the script and the icons: the only files of the study app.
enum StudyFiles {
    private struct File {
        let bytes: [UInt8]
        let type: String
    }

    private static let files: [String: File] = [
        "charts.css": File(bytes: PackageResources.charts_css, type: "text/css; charset=utf-8"),
        "icons.svg": File(bytes: PackageResources.icons_svg, type: "image/svg+xml"),
        "study.css": File(bytes: PackageResources.study_css, type: "text/css; charset=utf-8"),
        "study.js": File(bytes: PackageResources.study_js, type: "text/javascript; charset=utf-8"),
    ]

    /// The style of charts.
    static var charts: Data { Data(PackageResources.charts_css) }

    /// A number that differs after a file changed (FNV-1a of their bytes).
    static let version: UInt64 = files.sorted { $0.key < $1.key }.reduce(14_695_981_039_346_656_037)
    {
        $1.value.bytes.reduce($0) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }

    /// Adds `GET /files/<name>`.
    static func addRoutes(to router: Router<StudyContext>) {
        router.get("/files/:name") { _, context -> Response in
            guard let name = context.parameters.get("name"), let file = files[name] else {
                throw HTTPError(.notFound)
            }
            return Response(
                status: .ok,
                headers: [
                    .contentType: file.type, .cacheControl: "private, max-age=31536000, immutable",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
        }
    }
}
