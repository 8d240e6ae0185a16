import ContentModel
import Foundation
import Publishing

/// A folder of pictures and clips that an imported file may name.
///
/// Only files inside of the folder are read, never through a link that leads out of it.
public struct PictureFolder: Sendable {
    private static let endings = ImportedMedia.endings
    /// The most bytes of one picture.
    private static let bytesMax = 20 << 20
    /// The most pictures of one file.
    private static let picturesMax = 10_000
    /// The most bytes of all pictures of one file.
    private static let pictureBytesMax = 500 << 20

    private let path: String?

    /// Opens the folder of a file.
    public init(of file: String) {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        path = Self.resolved(folder)
    }

    /// Returns a picture; `nil` if there is none of this name in the folder.
    func bytes(_ name: String) -> [UInt8]? {
        // A picture that cannot be read is missing, and its question is refused with its name.
        file(name).flatMap { try? Files.read($0, limit: Self.bytesMax) }
    }

    /// Returns the path of a picture; `nil` if there is none of this name in the folder.
    fileprivate func file(_ name: String) -> String? {
        guard let path, ContentPath(name) != nil,
            let ending = name.split(separator: ".").last?.lowercased(),
            Self.endings.contains(ending),
            let real = Self.resolved(path + "/" + name), real.hasPrefix(path + "/"),
            Files.look(real)?.kind == .file
        else { return nil }
        return real
    }

    /// Returns those of the named pictures that are there, by name, up to the limits of one file.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - folders: What is sought before each name, in order, such as `media/`.
    /// - Returns: The bytes by name.
    func files(_ names: some Sequence<String>, under folders: [String] = [""]) -> [String: [UInt8]]
    {
        var files: [String: [UInt8]] = [:]
        var left = Self.pictureBytesMax
        for name in names.prefix(Self.picturesMax) where files[name] == nil {
            guard let bytes = folders.lazy.compactMap({ bytes($0 + name) }).first,
                bytes.count <= left
            else { continue }
            left -= bytes.count
            files[name] = bytes
        }
        return files
    }

    /// Returns the path without links; `nil` if nothing is there.
    private static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

extension ImportedDrafts {
    /// Adds the pictures that drafts name and that the file does not hold: those beside it, and those in a
    /// reference of the form `data:image/png;base64,…`.
    mutating func addPictures(from folder: PictureFolder?) {
        var missing: [String] = []
        for index in drafts.indices {
            drafts[index].image = drafts[index].image.map { name($0, folder) }
            for option in drafts[index].options.indices {
                let image = drafts[index].options[option].image
                drafts[index].options[option].image = image.map { name($0, folder) }
            }
            missing += drafts[index].mediaNames.filter { media[$0] == nil }
        }
        guard let folder else { return }
        var seen: Set<String> = []
        media.merge(folder.files(missing.filter { seen.insert($0).inserted })) { old, _ in old }
    }

    /// Returns the name of a picture without `./` before it, `%20` in it and `?raw=true` behind it; that of a
    /// `data:` reference is made of its content.
    private mutating func name(_ reference: String, _ folder: PictureFolder?) -> String {
        if media[reference] != nil || folder?.file(reference) != nil { return reference }
        // A pattern costs more than all else here, and most references are names.
        if reference.hasPrefix("data:"),
            let match = reference.prefixMatch(
                of: /data:image\/(png|jpeg|gif|webp|svg\+xml);base64,/),
            let data = Data(
                base64Encoded: String(reference[match.range.upperBound...]),
                options: .ignoreUnknownCharacters), !data.isEmpty
        {
            let endings = ["jpeg": "jpg", "svg+xml": "svg"]
            let kind = String(match.1)
            let bytes = [UInt8](data)
            let name = ImportedMedia.name(of: bytes, ending: endings[kind] ?? kind)
            media[name] = bytes
            return name
        }
        if reference.hasPrefix("data:") { return "data:" + reference.dropFirst(5).prefix(30) }
        guard !PictureAddress.isAddress(reference) else { return reference }
        let bare = reference.hasPrefix("./") ? String(reference.dropFirst(2)) : reference
        let path = bare.prefix { $0 != "?" && $0 != "#" }
        return path.removingPercentEncoding ?? String(path)
    }
}
