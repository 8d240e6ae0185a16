import HTTPTypes
import Hummingbird
import NIOCore
import ServiceAPI

/// A reply whose whole body is in memory: text goes out as gzip if the browser accepts that.
enum CompressedReply {
    /// The minimum length in bytes of a body that is compressed: a shorter one fits one packet of a network as it is.
    static let bytesMin = 1_000

    /// Makes a reply.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - type: The media type; only text is compressed.
    ///   - request: The request, which names the encodings that the browser accepts.
    ///   - packed: The body as gzip, if it was computed before.
    ///   - status: The status.
    ///   - headers: Further fields.
    /// - Returns: The reply, which says that it depends on `Accept-Encoding`.
    static func make(
        _ bytes: [UInt8], type: String, to request: Request, packed: [UInt8]? = nil,
        status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = type
        guard isText(type), bytes.count >= bytesMin else {
            return Response(status: status, headers: headers, body: body(bytes))
        }
        headers[.vary] = "Accept-Encoding"
        guard accepts(request.headers[.acceptEncoding]),
            let packed = packed ?? Gzip.packed(bytes), packed.count < bytes.count
        else { return Response(status: status, headers: headers, body: body(bytes)) }
        headers[.contentEncoding] = "gzip"
        return Response(status: status, headers: headers, body: body(packed))
    }

    private static func body(_ bytes: [UInt8]) -> ResponseBody {
        ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    }

    /// Returns true for text and for drawings made of text; other files of pages are compressed already.
    static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasSuffix("+xml") || type.hasSuffix("json")
    }

    /// Returns whether a field `Accept-Encoding` accepts gzip (RFC 9110, section 12.5.3).
    ///
    /// A coding's own weight counts before that of `*`, and a weight of 0 refuses it. Cost: linear.
    static func accepts(_ field: String?) -> Bool {
        var (own, others): (Bool?, Bool?) = (nil, nil)
        for item in (field ?? "").split(separator: ",") {
            let parts = item.split(separator: ";").map {
                $0.filter { !$0.isWhitespace }.lowercased()
            }
            let isAccepted = !parts.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
            switch parts.first {
            case "gzip", "x-gzip": own = isAccepted
            case "*": others = isAccepted
            default: break
            }
        }
        return own ?? others ?? false
    }
}
