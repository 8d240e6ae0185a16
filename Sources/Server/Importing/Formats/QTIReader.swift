import Foundation

/// A reader of IMS QTI 1.2, 2.x and 3.0: single items, tests, and packages in a zip archive.
enum QTIReader {
    static func read(
        _ bytes: [UInt8], file: String, outcome: String? = nil
    ) throws(ImportError) -> ImportedDrafts {
        var result = ImportedDrafts()
        result.begun = 0
        guard bytes.starts(with: [0x50, 0x4B]) else {
            let (root, encoding) = try XMLTree.parse(bytes, file: file)
            let package = QTIPackage(folder: "", archive: nil)
            guard read(root, package, place: "", outcome: outcome, into: &result) else {
                throw ImportError(file, .format, "is no QTI: its root is <\(root.name)>")
            }
            result.encoding = encoding
            return result
        }
        let archive = try ZipArchive(bytes, file: file)
        for entry in archive.refused {
            result.note(entry.name, .entryUnread, "left out: \(entry.reason)")
        }
        var hasAny = false
        for name in archive.names {
            guard let content = archive.files[name], isDocument(name, content) else {
                result.packaged.append(name)
                continue
            }
            do throws(ImportError) {
                let root = try XMLTree.parse(content, file: name).root
                let folder = name.split(separator: "/").dropLast().joined(separator: "/")
                let package = QTIPackage(folder: folder, archive: archive)
                if read(root, package, place: name + ", ", outcome: outcome, into: &result) {
                    hasAny = true
                } else {
                    result.note(name, .entryUnread, "<\(root.name)> is no QTI and was not read")
                }
            } catch {
                result.begun? += 1
                result.skip(name, error.code, error.reason)
            }
        }
        guard hasAny else {
            throw ImportError(file, .noQuestion, "holds no QTI\(archive.whyMissing)")
        }
        for name in Set(result.drafts.flatMap(\.mediaNames)) {
            result.media[name] = archive.bytes(name)
        }
        return result
    }

    /// Returns whether a file of a package is a document: Canvas writes `.xml.qti`, Blackboard `.dat`.
    private static func isDocument(_ name: String, _ content: [UInt8]) -> Bool {
        switch name.split(separator: ".").last?.lowercased() {
        case "xml", "qti": true
        case "dat":
            String(decoding: content.prefix(200), as: UTF8.self).contains(Pattern.documentStart)
        default: false
        }
    }

    /// Reads a document; returns false when it is not QTI.
    private static func read(
        _ root: XMLElement, _ package: QTIPackage, place: String, outcome: String?,
        into result: inout ImportedDrafts
    ) -> Bool {
        result.begun? += itemCount(in: root)
        switch root.qtiName {
        case "questestinterop":
            for item in root.all("item") {
                QTI1Item(item, package, place: place, outcome: outcome).read(into: &result)
            }
        case "assessmentitem":
            QTIItem(root, package, place: place).read(into: &result)
        case "assessmenttest":
            result.note(
                place + "line \(root.line)", .textLost,
                "the order and the rules of the test are not kept, only its items")
        // A stimulus is read with the items that show it.
        case "manifest": readManifest(root, package, into: &result)
        case "assessmentstimulus": break
        default: return false
        }
        return true
    }
}

extension QTIReader {
    /// Says which files a manifest names that the package does not have: items are lost questions.
    private static func readManifest(
        _ root: XMLElement, _ package: QTIPackage, into result: inout ImportedDrafts
    ) {
        var seen: Set<String> = []
        for resource in root.qtiAll("resource") {
            let isItem = resource.qtiAttribute("type")?.hasPrefix("imsqti_item") == true
            let names = ([resource] + resource.children.filter { $0.qtiName == "file" })
                .compactMap { $0.qtiAttribute("href") }
            for name in names where !package.contains(package.name(name)) {
                guard !name.contains("://"), seen.insert(name).inserted else { continue }
                if isItem, name == names.first {
                    result.begun? += 1
                    result.skip(name, .missing, "the manifest names it, but it is not in the file")
                } else if seen.count <= 50 {
                    let message = "the manifest names it, but it is not in the file"
                    result.note(name, .missing, message)
                }
            }
        }
    }

    /// Returns the number of items at any depth of a document.
    ///
    /// `<item>` is one in QTI 1.2 only: tables of contents and lists of modules have others.
    private static func itemCount(in root: XMLElement) -> Int {
        let names: Set = root.qtiName == "questestinterop" ? ["item"] : ["assessmentitem"]
        func count(_ element: XMLElement) -> Int {
            element.children.reduce(names.contains(element.qtiName) ? 1 : 0) { $0 + count($1) }
        }
        return count(root)
    }
}

extension XMLElement {
    /// The name in one spelling for 2.x (`choiceInteraction`) and 3.0 (`qti-choice-interaction`).
    var qtiName: String { Self.qtiSpelling(name) }

    private static func qtiSpelling(_ name: String) -> String {
        let bare = name.hasPrefix("qti-") ? String(name.dropFirst(4)) : name
        return bare.replacing("-", with: "").lowercased()
    }

    /// Returns an attribute in either spelling.
    func qtiAttribute(_ name: String) -> String? {
        attributes.first { Self.qtiSpelling($0.key) == name }?.value
    }

    /// Returns all descendants of a name, in either spelling.
    func qtiAll(_ name: String) -> [XMLElement] {
        children.flatMap { ($0.qtiName == name ? [$0] : []) + $0.qtiAll(name) }
    }

    /// Returns the first child of a name, in either spelling.
    func qtiChild(_ name: String) -> XMLElement? { children.first { $0.qtiName == name } }
}
