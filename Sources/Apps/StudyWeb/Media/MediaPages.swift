import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import StudyModel
import Underway

/// The clips and images of the installed release: `/media/<checksum>`, and by name `/media/<language>/<name>` and
/// `/media/<region>/<exam>/<name>`.
struct MediaPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/media/:first", use: app.page(byChecksum))
        router.get(
            "/media/:first/:second",
            use: app.page { page in
                try await byName(page, .audio, page.part("first"), page.part("second"))
            })
        router.get(
            "/media/:first/:second/:third",
            use: app.page { page in
                let exam = try page.part("first") + "/" + page.part("second")
                return try await byName(page, .media, exam, page.part("third"))
            })
    }

    /// Returns the address of a fetched file.
    static func path(of checksum: Checksum) -> String { "/media/\(checksum.hex)" }

    private func byChecksum(_ page: PageRequest) async throws -> Response {
        let hex = try page.part("first")
        let entry = try await Self.entries(page).first { $0.checksum.hex == hex }
        return try await reply(page, entry, caching: "private, max-age=31536000, immutable")
    }

    private func byName(
        _ page: PageRequest, _ kind: ManifestEntry.Kind, _ key: String, _ name: String
    ) async throws -> Response {
        let entry = try await Self.entries(page).first {
            $0.kind == kind && $0.key == key && $0.name == name
        }
        return try await reply(page, entry, caching: "private, no-cache")
    }

    /// Returns true for a picture that a page may show, fetched or not.
    static func hasPicture(_ checksum: Checksum, _ page: PageRequest) async throws -> Bool {
        try await entries(page).contains {
            $0.checksum == checksum && MediaType(of: $0)?.isSound == false
        }
    }

    /// Returns the files that a page may show; others have no address here.
    private static func entries(_ page: PageRequest) async throws -> [ManifestEntry] {
        do {
            return try await page.services.content.perform { try $0.manifest().value.entries }
                .filter { [.audio, .media, .asset].contains($0.kind) }
        } catch let error as StoreError where error.code == .notFound {
            return []
        }
    }

    private func reply(
        _ page: PageRequest, _ entry: ManifestEntry?, caching: String
    ) async throws -> Response {
        guard let entry, let type = MediaType(of: entry),
            let file = try await page.services.content.perform({ [now = page.services.clock()] in
                try $0.lazyFile(entry.checksum, now: now)
            }),
            let count = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
        else { throw HTTPError(.notFound) }
        let tag = "\"\(entry.checksum.hex)\""
        var headers: HTTPFields = [
            .contentType: type.rawValue, .cacheControl: caching, .eTag: tag,
            .acceptRanges: "bytes", .contentSecurityPolicy: MediaType.policy,
        ]
        if page.request.headers[.ifNoneMatch] == tag {
            return Response(status: .notModified, headers: headers)
        }
        switch ByteRange(page.request.headers[.range], count: count) {
        case .whole:
            return Response(
                status: .ok, headers: headers,
                body: try await FileIO().loadFile(path: file.path, context: page.context))
        case .part(let range):
            headers[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
            return Response(
                status: .partialContent, headers: headers,
                body: try await FileIO().loadFile(
                    path: file.path, range: range.lowerBound...range.upperBound - 1,
                    context: page.context))
        case .outside:
            headers[.contentRange] = "bytes */\(count)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }
}

/// The types of files that pages show, by the end of the file's name.
enum MediaType: String {
    case mp3 = "audio/mpeg"
    case aac = "audio/mp4"
    case ogg = "audio/ogg"
    case wave = "audio/wav"
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case avif = "image/avif"
    case svg = "image/svg+xml"

    /// The policy of a file that is opened as a page: an image made of markup runs no script and asks for
    /// nothing (Content Security Policy Level 3, section 6.3).
    static let policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

    /// True for a sound.
    var isSound: Bool { rawValue.hasPrefix("audio/") }

    /// Reads the end of an entry's name, or of its path.
    init?(of entry: ManifestEntry) {
        self.init(name: entry.name.isEmpty ? entry.key : entry.name)
    }

    /// Reads the end of a name; `nil` for a type that no page shows.
    init?(name: String) {
        switch name.split(separator: ".").last?.lowercased() {
        case "mp3": self = .mp3
        case "m4a", "aac": self = .aac
        case "ogg", "oga", "opus": self = .ogg
        case "wav": self = .wave
        case "png": self = .png
        case "jpg", "jpeg": self = .jpeg
        case "gif": self = .gif
        case "webp": self = .webp
        case "avif": self = .avif
        case "svg": self = .svg
        default: return nil
        }
    }
}

/// The bytes that a request asks for: one range, or all (RFC 9110, section 14).
enum ByteRange: Hashable {
    /// All bytes: no range, or an unsupported one, such as several ranges.
    case whole
    /// Some bytes.
    case part(Range<Int>)
    /// A range outside of the file.
    case outside

    /// Reads a field `Range` for a file of `count` bytes.
    init(_ field: String?, count: Int) {
        guard let match = field?.wholeMatch(of: /bytes=(\d{0,18})-(\d{0,18})/) else {
            self = .whole
            return
        }
        switch (Int(match.1), Int(match.2)) {
        case (nil, nil): self = .whole
        case (nil, let last?):
            self = last > 0 && count > 0 ? .part(max(0, count - last)..<count) : .outside
        case (let first?, let last):
            if let last, last < first {
                self = .whole  // Not valid, so ignored.
            } else {
                self = first < count ? .part(first..<min(count, (last ?? count - 1) + 1)) : .outside
            }
        }
    }
}
