import HTTPTypes
package import Hummingbird
import NIOCore
import ServiceAPI

/// The controller of a release's files, for requests that `PublishedFileHandler` does not handle.
package struct ContentController {
    let files: ReleaseFiles

    package init(files: ReleaseFiles) {
        self.files = files
    }

    package func addRoutes(to router: Router<ServerContext>) {
        let path = RouterPath(ContentRoutes.prefix + "/**")
        router.get(path, use: respond)
        router.head(path, use: respond)
    }

    @Sendable private func respond(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let name = String(request.uri.path.dropFirst(ContentRoutes.prefix.count + 1))
        let file: ServedFile?
        do {
            file = try await load(name)
        } catch let error as RequestError {
            return ProblemDocument.response(error)
        } catch {
            files.refusals.note(error as? ServeError ?? ServeError(message: "\(error)"))
            return ProblemDocument.response(
                .internalServerError, "The server could not read this file.")
        }
        guard let file else {
            return ProblemDocument.response(.notFound, "The release has no such file.")
        }
        let wanted = FileRequest(
            isHead: request.method == .head, ifNoneMatch: request.headers[.ifNoneMatch],
            acceptEncoding: request.headers[.acceptEncoding], range: request.headers[.range],
            ifRange: request.headers[.ifRange])
        return try await response(wanted, file, context)
    }

    @concurrent private func load(_ name: String) async throws -> ServedFile? {
        try await files.load(name)
    }

    private func response(
        _ request: FileRequest, _ file: ServedFile, _ context: ServerContext
    ) async throws -> Response {
        switch FileReply(request, to: file) {
        case .notModified(let index):
            return Response(
                status: .notModified, headers: fields(file, file.representations[index]))
        case .whole(let index):
            let chosen = file.representations[index]
            var headers = fields(file, chosen)
            headers[.contentType] = file.contentType
            headers[.acceptRanges] = "bytes"
            if chosen.coding != .identity { headers[.contentEncoding] = chosen.coding.rawValue }
            let body = try await body(chosen, 0..<chosen.size, context)
            return Response(status: .ok, headers: headers, body: request.isHead ? body.head : body)
        case .part(let range):
            var headers = fields(file, file.plain)
            headers[.contentType] = file.contentType
            headers[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.plain.size)"
            return Response(
                status: .partialContent, headers: headers,
                body: try await body(file.plain, range, context))
        case .unsatisfiableRange:
            var response = ProblemDocument.response(
                .rangeNotSatisfiable, "The file has \(file.plain.size) bytes.")
            response.headers[.contentRange] = "bytes */\(file.plain.size)"
            return response
        }
    }

    private func fields(
        _ file: ServedFile, _ representation: ServedFile.Representation
    ) -> HTTPFields {
        var headers: HTTPFields = [
            .eTag: representation.entityTag, .cacheControl: file.cacheControl,
        ]
        if file.varies { headers[.vary] = "accept-encoding" }
        return headers
    }

    private func body(
        _ representation: ServedFile.Representation, _ range: Range<Int>,
        _ context: ServerContext
    ) async throws -> ResponseBody {
        if let buffer = representation.body {
            let start = buffer.readerIndex + range.lowerBound
            return ResponseBody(
                byteBuffer: buffer.getSlice(at: start, length: range.count) ?? ByteBuffer())
        }
        guard !range.isEmpty else { return ResponseBody() }
        return try await FileIO().loadFile(
            path: representation.path, range: range.lowerBound...(range.upperBound - 1),
            context: context)
    }
}

extension ResponseBody {
    /// The body of a reply to HEAD: no bytes, the same length.
    fileprivate var head: ResponseBody {
        ResponseBody(contentLength: contentLength) { try await $0.finish(nil) }
    }
}
