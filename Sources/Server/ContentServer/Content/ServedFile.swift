import NIOCore

/// A servable file: its representations and its constant header fields.
struct ServedFile: Sendable {
    /// One encoding of the content.
    struct Representation: Sendable {
        var coding: ContentCoding
        var entityTag: String
        var size: Int
        /// The bytes, for a file that is small enough for memory.
        var body: ByteBuffer?
        /// The path of the bytes on the disk.
        var path: String
        /// The heads of a 200 and a 304 as sent over the wire, up to the date.
        var wholeHead: [UInt8] = []
        var unchangedHead: [UInt8] = []
    }

    var contentType: String
    /// True for a file whose content never changes under its name.
    var isImmutable: Bool
    /// The representations, the preferred encoding first, the plain one last.
    var representations: [Representation]

    init(contentType: String, isImmutable: Bool, representations: [Representation]) {
        self.contentType = contentType
        self.isImmutable = isImmutable
        self.representations = representations
        for index in representations.indices {
            self.representations[index].wholeHead = head(index, isWhole: true)
            self.representations[index].unchangedHead = head(index, isWhole: false)
        }
    }

    /// Returns the head of a reply, with the same fields as the router's.
    private func head(_ index: Int, isWhole: Bool) -> [UInt8] {
        let chosen = representations[index]
        var text = isWhole ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 304 Not Modified\r\n"
        text += "etag: \(chosen.entityTag)\r\ncache-control: \(cacheControl)\r\n"
        text += "x-content-type-options: nosniff\r\n"
        if varies { text += "vary: accept-encoding\r\n" }
        if isWhole {
            text += "content-type: \(contentType)\r\naccept-ranges: bytes\r\n"
            if chosen.coding != .identity {
                text += "content-encoding: \(chosen.coding.rawValue)\r\n"
            }
            text += "content-length: \(chosen.size)\r\n"
        }
        return Array((text + "date: ").utf8)
    }

    var plain: Representation { representations[representations.count - 1] }

    /// The value of `Cache-Control`: a year and `immutable` (RFC 8246) for content that never
    /// changes, else `no-cache`.
    var cacheControl: String {
        isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
    }

    var varies: Bool { representations.count > 1 }

    var memoryBytes: Int { representations.reduce(0) { $0 + ($1.body?.readableBytes ?? 0) } }
}

/// The conditions and preferences of a request for a file, independent of any HTTP library.
struct FileRequest: Sendable {
    var isHead = false
    var ifNoneMatch: String?
    var acceptEncoding: String?
    /// The encodings that `acceptEncoding` accepts, if they were computed before.
    var accepted: Set<ContentCoding>?
    var range: String?
    var ifRange: String?
}

/// The reply to a request for a file.
enum FileReply: Equatable {
    case notModified(representation: Int)
    case whole(representation: Int)
    /// A byte range of the plain representation.
    case part(Range<Int>)
    case unsatisfiableRange

    /// Decides by RFC 9110: conditions first (13.2.2), then a single range (14.2), else the whole
    /// file in the encoding that the client prefers.
    init(_ request: FileRequest, to file: ServedFile) {
        let plainIndex = file.representations.count - 1
        let accepted = request.accepted ?? ContentCoding.accepted(by: request.acceptEncoding)
        let chosen =
            request.range != nil
            ? plainIndex
            : file.representations.firstIndex { accepted.contains($0.coding) } ?? plainIndex
        if let tags = request.ifNoneMatch,
            EntityTag.matches(tags, file.representations[chosen].entityTag)
        {
            self = .notModified(representation: chosen)
            return
        }
        guard let field = request.range, !request.isHead,
            request.ifRange == nil || request.ifRange == file.plain.entityTag
        else {
            self = .whole(representation: chosen)
            return
        }
        switch ByteRange(field, size: file.plain.size) {
        case .satisfiable(let range): self = .part(range)
        case .unsatisfiable: self = .unsatisfiableRange
        // A range that is not understood is ignored (RFC 9110, 14.2).
        case .ignored: self = .whole(representation: plainIndex)
        }
    }
}

/// A field `Range` with one byte range.
enum ByteRange: Equatable {
    case satisfiable(Range<Int>)
    case unsatisfiable
    case ignored

    /// Parses `bytes=a-b`, `bytes=a-` and `bytes=-n` for a file of a size.
    init(_ field: String, size: Int) {
        guard field.hasPrefix("bytes=") else {
            self = .ignored
            return
        }
        let bounds = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, !field.contains(",") else {
            self = .ignored
            return
        }
        switch (Self.number(bounds[0]), Self.number(bounds[1])) {
        case (let first?, let last?):
            guard first <= last else {
                self = .ignored
                return
            }
            self = first < size ? .satisfiable(first..<min(last + 1, size)) : .unsatisfiable
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < size ? .satisfiable(first..<size) : .unsatisfiable
        case (nil, let suffix?) where bounds[0].isEmpty:
            self =
                suffix > 0 && size > 0 ? .satisfiable(max(0, size - suffix)..<size) : .unsatisfiable
        default: self = .ignored
        }
    }

    /// Parses up to 15 digits, so that nothing overflows.
    private static func number(_ text: Substring) -> Int? {
        guard (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }
}

/// Media types by file extension.
enum ContentType {
    static func of(_ path: String) -> String {
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return types[ending] ?? "application/octet-stream"
    }

    private static let types: [String: String] = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "opus": "audio/ogg",
        "wav": "audio/wav", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8",
        "csv": "text/csv; charset=utf-8", "xml": "application/xml",
    ]
}
