/// The format of a picture, as the beginning of its file says; its name says nothing.
package enum PictureFormat: String, CaseIterable, Sendable {
    case png, gif, webP, jpeg, svg

    /// Recognises a picture that has a size; `nil` for another file, a damaged one, or a size that is not believed.
    ///
    /// Cost: linear in the bytes, of which at most `PictureSize.headBytes` are looked at.
    package init?(_ file: [UInt8]) {
        guard let format = Self.sized(file)?.format else { return nil }
        self = format
    }

    /// The ending of the name of such a file.
    package var fileEnding: String {
        switch self {
        case .jpeg: "jpg"
        case .webP: "webp"
        case .png, .gif, .svg: rawValue
        }
    }

    /// Returns the format of a file with its size.
    static func sized(_ file: [UInt8]) -> (format: PictureFormat, size: PictureSize)? {
        let head = file.prefix(PictureSize.headBytes)
        let bytes = PictureBytes(head)
        for format in allCases {
            let size =
                switch format {
                case .png: bytes.png
                case .gif: bytes.gif
                case .webP: bytes.webP
                case .jpeg: bytes.jpeg
                case .svg: SVGSize.read(head)
                }
            if let size { return (format, size) }
        }
        return nil
    }
}
