extension ReleasePath {
    /// Parses a path.
    ///
    /// A name that authors chose may end like a sibling: `assets/a.gz` is read as the asset `a.gz`.
    /// - Returns: `nil` for a path that no release has.
    package init?(_ text: String) {
        if let plain = Self.parsePlain(text) {
            self = plain
        } else if let (rest, packing) = Packing.split(text), let plain = Self.parsePlain(rest) {
            self = plain.packed(packing)
        } else {
            return nil
        }
    }

    private static func parsePlain(_ text: String) -> ReleasePath? {
        if text == manifest.text { return manifest }
        if text == announcements.text { return announcements }
        // By bytes: a mark that combines with a slash hides it from `Character`.
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let (folder, rest) = (String(Substring(parts[0])), String(Substring(parts[1])))
        let found: ReleasePath? =
            switch folder {
            case "objects": Checksum(hex: rest.suffix(64)).map { object($0) }
            case "releases": number(rest).flatMap { history(release: $0) }
            case "metadata": metadata(rest)
            case "changes": Int(rest).flatMap { changes(from: $0) }
            case "targets": Checksum(hex: rest.prefix(64)).map { target($0) }
            default: readable(folder, rest)
            }
        // Only the canonical spelling is a path.
        guard let found, found.text.utf8.elementsEqual(text.utf8) else { return nil }
        return found
    }

    private static func number(_ rest: String) -> Int? {
        rest.split(separator: "/").first.flatMap { Int($0) }
    }

    private static func metadata(_ name: String) -> ReleasePath? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
            let role = TrustRole(rawValue: String(parts[parts.count - 2]))
        else { return nil }
        return metadata(role, version: parts.count == 3 ? Int(parts[0]) : nil)
    }

    private static func readable(_ folder: String, _ rest: String) -> ReleasePath? {
        guard let kind = ManifestEntry.Kind.allCases.first(where: { $0.folder == folder }) else {
            return nil
        }
        switch kind {
        case .blueprint, .exam, .localization:
            return ReleasePath(kind, key: String(rest.dropLast(".json".count)))
        case .announcements:
            return nil
        case .asset:
            return ReleasePath(kind, key: rest)
        case .audio, .media:
            return listed(kind, rest, keyParts: kind == .audio ? 1 : 2)
        }
    }

    private static func listed(
        _ kind: ManifestEntry.Kind, _ rest: String, keyParts: Int
    ) -> ReleasePath? {
        let parts = rest.utf8.split(
            separator: UInt8(ascii: "/"), maxSplits: keyParts, omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard parts.count == keyParts + 1, let name = parts.last else { return nil }
        return ReleasePath(kind, key: parts.dropLast().joined(separator: "/"), name: name)
    }
}

extension ReleasePath.Packing {
    /// Splits the ending of a sibling from the path of the plain file.
    ///
    /// - Returns: `nil` for a path without such an ending.
    package static func split(_ path: String) -> (plain: String, packing: Self)? {
        for packing in allCases where path.hasSuffix("." + packing.rawValue) {
            return (String(path.dropLast(packing.rawValue.count + 1)), packing)
        }
        return nil
    }
}
