import Foundation

/// A file of a form.
package struct FormFile: Sendable, Hashable {
    /// The last part of its name on the machine of the sender; never a path.
    package let name: String
    /// Its bytes.
    package let bytes: [UInt8]
}

/// The parts of a form of `multipart/form-data` (RFC 7578, with the encoding of names by the HTML standard, 4.10.21.8).
struct MultipartForm {
    private(set) var fields: [(name: String, value: String)] = []
    private(set) var files: [(name: String, file: FormFile)] = []
    /// True when the form had more parts than allowed.
    private(set) var isCut = false

    /// The maximum number of bytes of a part's header.
    private static let headBytesMax = 8 * 1024

    /// Reads a body; `nil` for one of another form, and for one that was cut off.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - boundary: What stands between the parts.
    ///   - countMax: The maximum number of parts.
    init?(_ body: Data, boundary: String, countMax: Int) {
        let line = Data("\r\n".utf8)
        let delimiter = Data("\r\n--\(boundary)".utf8)
        // The first delimiter begins the body.
        guard body.starts(with: delimiter.dropFirst(2)) else { return nil }
        var at = body.startIndex + delimiter.count - 2
        while true {
            let rest = body[at...]
            if rest.starts(with: Data("--".utf8)) { return }
            guard rest.starts(with: line),
                let headEnd = rest.prefix(Self.headBytesMax).range(of: line + line),
                let end = body[(headEnd.upperBound - 2)...].range(of: delimiter)
            else { return nil }
            guard fields.count + files.count < countMax else {
                isCut = true
                return
            }
            let head = String(decoding: body[at..<headEnd.lowerBound], as: UTF8.self)
            let content = body[min(headEnd.upperBound, end.lowerBound)..<end.lowerBound]
            guard add(head, content) else { return nil }
            at = end.upperBound
        }
    }

    private mutating func add(_ head: String, _ content: Data) -> Bool {
        guard
            let disposition = head.split(separator: "\r\n").first(where: {
                $0.lowercased().hasPrefix("content-disposition:")
            }), let name = Self.parameter("name", disposition)
        else { return false }
        guard let file = Self.parameter("filename", disposition) else {
            fields.append((name, String(decoding: content, as: UTF8.self)))
            return true
        }
        let last = file.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last
        // A field of files without a file is sent with an empty name.
        if let last {
            files.append((name, FormFile(name: String(last.prefix(200)), bytes: Array(content))))
        }
        return true
    }

    /// Returns a parameter such as `name="bank"`.
    private static func parameter(_ name: String, _ text: Substring) -> String? {
        guard let start = text.range(of: "; \(name)=\"") ?? text.range(of: ";\(name)=\""),
            let end = text[start.upperBound...].firstIndex(of: "\"")
        else { return nil }
        return String(text[start.upperBound..<end]).replacing("%22", with: "\"")
            .replacing("%0D", with: "").replacing("%0A", with: "")
    }

    /// Returns the boundary of a content type; `nil` for another type.
    static func boundary(of contentType: String) -> String? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let start = contentType.range(of: "boundary=", options: .caseInsensitive)
        else { return nil }
        let value = contentType[start.upperBound...].prefix { $0 != ";" }
            .filter { $0 != "\"" }
        return (1...70).contains(value.utf8.count) ? String(value) : nil
    }
}
