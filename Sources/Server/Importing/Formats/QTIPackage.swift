import Foundation

/// The files of a package as one of its documents names them.
struct QTIPackage {
    /// The folder of the document.
    let folder: String
    /// The archive; `nil` where the document is no part of a package.
    let archive: ZipArchive?

    /// Returns whether the package has a file.
    func contains(_ name: String) -> Bool { archive?.contains(name) ?? false }

    /// Resolves a reference: relative to the document, or to a cartridge's folder of files.
    func name(_ reference: String) -> String {
        if reference.contains(Pattern.cartridgeFiles) {
            let rest = reference.replacing(Pattern.cartridgeFiles, with: "")
            return resolved("web_resources/" + rest, from: "")
        }
        return resolved(reference, from: folder)
    }

    private func resolved(_ reference: String, from folder: String) -> String {
        guard !reference.hasPrefix("data:"), !reference.contains("://") else { return reference }
        let whole = joined(reference, folder)
        if contains(whole) { return whole }
        let bare = joined(String(reference.prefix { $0 != "?" && $0 != "#" }), folder)
        return contains(bare) || archive == nil ? bare : whole
    }

    private func joined(_ reference: String, _ folder: String) -> String {
        var parts = folder.split(separator: "/").map(String.init)
        for part in reference.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }
        let joined = parts.joined(separator: "/")
        return joined.removingPercentEncoding ?? joined
    }

    /// Returns a document of the package with the package as that document sees it; `nil` if it cannot be read.
    func document(_ reference: String) -> (root: XMLElement, package: QTIPackage)? {
        let name = name(reference)
        guard let bytes = archive?.bytes(name),
            let root = try? XMLTree.parse(bytes, file: name).root
        else {
            return nil
        }
        let folder = name.split(separator: "/").dropLast().joined(separator: "/")
        return (root, QTIPackage(folder: folder, archive: archive))
    }
}
