import ContentModel

/// The media that an import takes over: pictures and clips, and nothing that a browser would run.
enum ImportedMedia {
    /// The endings of the names of pictures and clips.
    static let endings = Set(["png", "jpg", "jpeg", "gif", "svg", "webp"])
        .union(QuestionAudio.fileEndings)

    /// Returns why a file is not taken over; `nil` for one that is.
    static func refusal(_ name: String, _ bytes: [UInt8]) -> String? {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard name.contains("."), endings.contains(ending) else {
            return "it shows \"\(name)\", which is no picture or clip"
        }
        guard ending == "svg", hasProgram(String(decoding: bytes, as: UTF8.self)) else {
            return nil
        }
        return "it shows \"\(name)\", a drawing with a program in it"
    }

    /// Returns a name that is made of a file's content.
    static func name(of bytes: [UInt8], ending: String) -> String {
        "image-\(Checksum(of: bytes).hex.prefix(12)).\(ending)"
    }

    private static func hasProgram(_ drawing: String) -> Bool {
        let drawing = drawing.lowercased()
        // Zeros are of another encoding, in which these words would not be found.
        return ["\0", "<script", ":script", "javascript:", "<foreignobject", "<!entity"].contains(
            where: drawing.contains) || drawing.contains(Pattern.handler)
    }
}
