package import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore

/// The files that pages load: style, script and icons.
package struct PageFiles: Sendable {
    /// A file with its media type.
    package struct File: Sendable {
        /// The whole file.
        package let bytes: [UInt8]
        /// The value of `Content-Type`.
        package let type: String
    }

    private let files: [String: File]
    /// A number that changes with the files (FNV-1a of their bytes).
    package let version: UInt64

    /// Combines the shared files and those of an app.
    ///
    /// - Parameter own: The app's files by name; the extension determines the type.
    package init(_ own: [String: [UInt8]] = [:]) {
        let shared: [String: [UInt8]] = [
            "charts.css": PackageResources.charts_css, "icons.svg": PackageResources.icons_svg,
            "study.css": PackageResources.study_css, "study.js": PackageResources.study_js,
            "icon.svg": PackageResources.icon_svg, "icon-180.png": PackageResources.icon_180_png,
            "icon-192.png": PackageResources.icon_192_png,
            "icon-512.png": PackageResources.icon_512_png,
            "icon-maskable-512.png": PackageResources.icon_maskable_512_png,
        ]
        let all = shared.merging(own, uniquingKeysWith: { $1 })
        files = Dictionary(
            uniqueKeysWithValues: all.map { ($0, File(bytes: $1, type: Self.type(of: $0))) })
        version = all.sorted { $0.key < $1.key }.reduce(14_695_981_039_346_656_037) {
            $1.value.reduce($0) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        }
    }

    private static func type(of name: String) -> String {
        if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
        if name.hasSuffix(".svg") { return "image/svg+xml" }
        if name.hasSuffix(".png") { return "image/png" }
        return "text/javascript; charset=utf-8"
    }

    /// The style of charts.
    package static var charts: Data { Data(PackageResources.charts_css) }

    /// The names of all files, in no order.
    package var names: [String] { Array(files.keys) }

    /// A file by its name; `nil` for an unknown one.
    package subscript(name: String) -> File? { files[name] }

    /// The value of `Cache-Control`: the addresses of the files change with ``version``.
    package static let caching = "private, max-age=31536000, immutable"

    /// Returns the reply with a file; `nil` for an unknown name.
    package func response(_ name: String) -> Response? {
        guard let file = files[name] else { return nil }
        return Response(
            status: .ok, headers: [.contentType: file.type, .cacheControl: Self.caching],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }
}
