import ContentModel

/// The rules for names that every file system and a release can hold.
///
/// macOS and Windows compare names without regard to case, macOS also without regard to Unicode
/// normalisation, and Windows drops dots and spaces at the end. Two names that are equal there
/// would overwrite each other when the content folder or the release is copied.
enum NameRules {
    /// The longest name in UTF-8 bytes: file systems allow 255, and a release adds the ending of a
    /// compressed form and, during a write, a suffix of the process.
    static let nameBytesMax = 230

    /// Checks the names of one folder together.
    ///
    /// - Parameters:
    ///   - names: The names, sorted.
    ///   - folder: Their folder, relative to the content folder.
    /// - Returns: Errors and warnings.
    static func problems(with names: [String], in folder: String) -> [Problem] {
        var problems: [Problem] = []
        var seen: [String: String] = [:]
        for name in names {
            let path = folder + "/" + name
            if let other = seen.updateValue(name, forKey: folded(name)) {
                problems.append(clash(folder, name, other))
            }
            if name.utf8.count > nameBytesMax {
                problems.append(
                    Problem(
                        .limitExceeded, file: path,
                        message: "the name has \(name.utf8.count) bytes, at most \(nameBytesMax)"
                            + " are allowed", hint: "Choose a shorter name."))
            }
            if let message = windowsProblem(name) {
                problems.append(Problem(.unportableName, file: path, message: message))
            }
        }
        guard isPublishedAsItIs(folder) else { return problems }
        return problems + names.compactMap { compressedClash($0, in: folder, seen) }
    }

    /// Returns the same text for all names that macOS or Windows treats as equal.
    ///
    /// Upper case first, so that `ß` and `SS`, which some of them treat as equal, are equal here
    /// too; Swift compares text regardless of its normalisation.
    static func folded(_ name: String) -> String {
        // The common case, without two copies of the name.
        if name.utf8.allSatisfy(isPlain) { return name }
        let text = name.uppercased().lowercased()
        guard text.hasSuffix(".") || text.hasSuffix(" ") else { return text }
        let end = text.lastIndex { $0 != "." && $0 != " " }
        return end.map { String(text[...$0]) } ?? ""
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func clash(_ folder: String, _ name: String, _ other: String) -> Problem {
        // Texts that differ only in normalisation look the same on every screen.
        let message =
            if name == other {
                "there are two names \"\(name)\", written with different code points"
            } else if folder == "languages" {
                "\"\(name)\" and \"\(other)\" are one language to a device"
            } else {
                "\"\(name)\" and \"\(other)\" are one name on macOS or Windows"
            }
        return Problem(.nameClash, file: folder + "/" + name, message: message)
    }

    /// Returns the clash of a name with a compressed form: a release stores those of `a.txt` as
    /// `a.txt.gz` and `a.txt.br`.
    private static func compressedClash(
        _ name: String, in folder: String, _ seen: [String: String]
    ) -> Problem? {
        let text = folded(name)
        for encoding in ContentEncoding.allCases {
            let ending = "." + encoding.rawValue
            guard text.hasSuffix(ending), let plain = seen[String(text.dropLast(ending.count))]
            else { continue }
            return Problem(
                .nameClash, file: folder + "/" + name,
                message: "the compressed form of \"\(plain)\" has this name in a release")
        }
        return nil
    }

    /// Returns true for folders whose files are served under their own names.
    private static func isPublishedAsItIs(_ folder: String) -> Bool {
        let parts = folder.split(separator: "/")
        return parts.first == "assets" || (parts.first == "languages" && parts.contains("audio"))
            || (parts.first == "exams" && parts.count > 3 && parts[3] == "media")
    }

    // MARK: Windows

    /// Returns the reason that Windows cannot hold a name (Microsoft, "Naming Files, Paths, and
    /// Namespaces").
    private static func windowsProblem(_ name: String) -> String? {
        let stem = folded(String(name.prefix { $0 != "." }))
        if reserved.contains(stem) {
            return "Windows keeps the name \"\(stem.uppercased())\" for a device"
        }
        if name.hasSuffix(".") || name.hasSuffix(" ") {
            return "Windows drops the dot or space at the end of the name"
        }
        // The other characters that Windows rejects are unsafe in addresses too.
        return name.contains { $0 == "<" || $0 == ">" }
            ? "Windows holds no name with \"<\" or \">\"" : nil
    }

    private static let reserved: Set<String> = {
        let digits = "123456789¹²³"
        let ports = ["com", "lpt"].flatMap { port in digits.map { port + String($0) } }
        return Set(["con", "prn", "aux", "nul", "conin$", "conout$"] + ports)
    }()
}
